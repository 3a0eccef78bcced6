import { beforeEach, describe, expect, it } from 'vitest';
import { SpeechOutages } from '#speech/outages.js';
import { SpeechError } from '#speech/speech-error.js';
import type { Stt, SttSession } from '#speech/stt.js';
import { sttWithFallback, type SttReplaced } from '#speech/stt-fallback.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { createScriptedStt, type ScriptedStt } from '#test/support/scripted-stt.js';

const FRAME = new Int16Array(160).fill(1_000);
const FRAMES = 25;

let clock: FakeClock;
let replaced: SttReplaced[];
let heard: { provider: string; soundMs: number }[];
let outages: SpeechOutages;

beforeEach(() => {
  clock = new FakeClock();
  replaced = [];
  heard = [];
  outages = new SpeechOutages(clock);
});

const dead = (retryable: boolean) =>
  new SpeechError('gone', { provider: 'cloud', retryable, failure: 'cut' });

async function open(cloud: Stt, local: Stt): Promise<SttSession> {
  const choices = [
    { provider: 'cloud', account: 'cloud', stt: cloud },
    { provider: 'builtin', account: 'builtin', stt: { ...local, isLocal: true } },
  ];
  const stt = sttWithFallback(choices, {
    clock,
    log: createMemoryLog().log,
    outages,
    onReplaced: (one) => void replaced.push(one),
    onHearing: (one) => void heard.push(one),
  });
  const session = await stt.open({ language: 'en-US', sampleRateHz: 8000 });
  session.expect({ kind: 'yes_no' });
  // It opens beside the call.
  await clock.advance(0);
  return session;
}

function say(session: SttSession): void {
  for (let frame = 0; frame < FRAMES; frame += 1) session.push(FRAME);
}

describe('a recogniser with another behind it', () => {
  let local: ScriptedStt;

  beforeEach(() => {
    local = createScriptedStt('yes please', 'no thanks');
  });

  it('is the only one that hears, as long as it hears', async () => {
    const session = await open(createScriptedStt('yes'), local);
    say(session);
    expect(await session.finish()).toMatchObject({ text: 'yes' });
    session.close();
    expect(local.streams).toEqual([]);
    expect(heard).toEqual([{ provider: 'cloud', soundMs: FRAMES * 20 }]);
  });

  it.each([
    ['at the end of an utterance', true],
    ['for good', false],
  ])('that dies %s loses no sound of it', async (_, retryable) => {
    const cloud = createScriptedStt(dead(retryable), dead(retryable));
    const session = await open(cloud, local);
    say(session);
    expect(await session.finish()).toMatchObject({ text: 'yes please' });
    expect(cloud.streams).toHaveLength(retryable ? 2 : 1);
    expect(local.streams[0]?.utteranceSamples).toEqual([FRAMES * FRAME.length]);
    expect(local.streams[0]?.expectations).toEqual([{ kind: 'yes_no' }]);
    expect(replaced).toEqual([{ from: 'cloud', to: 'builtin', failure: 'cut', inUtterance: true }]);
    say(session);
    expect(await session.finish()).toMatchObject({ text: 'no thanks' });
  });

  it('that dies once is opened once more, and hears the utterance again', async () => {
    const cloud = createScriptedStt(dead(true), 'yes');
    const session = await open(cloud, local);
    say(session);
    expect(await session.finish()).toMatchObject({ text: 'yes' });
    expect(replaced).toEqual([]);
  });

  it('that breaks while it is spoken to is replaced at once', async () => {
    const cloud = createScriptedStt('never');
    const breaking: Stt = {
      ...cloud,
      open: async (options) => {
        const stream = await cloud.open(options);
        let frames = 0;
        return {
          ...stream,
          push() {
            frames += 1;
            if (frames > 3) throw dead(false);
          },
        };
      },
    };
    const session = await open(breaking, local);
    say(session);
    expect(await session.finish()).toMatchObject({ text: 'yes please' });
    expect(local.streams[0]?.utteranceSamples).toEqual([FRAMES * FRAME.length]);
  });

  it.each(['open', 'finish'] as const)('that hangs in %s is not waited for', async (what) => {
    const cloud = createScriptedStt('never');
    const never = new Promise<never>(() => {});
    const hanging: Stt = {
      ...cloud,
      open: async (options) =>
        what === 'open' ? never : { ...(await cloud.open(options)), finish: () => never },
    };
    const session = await open(hanging, local);
    say(session);
    const words = session.finish();
    await clock.advance(4_000);
    expect(await words).toMatchObject({ text: 'yes please' });
    expect(replaced).toMatchObject([{ failure: 'timeout' }]);
  });

  it('is left out by the next call, while it is down', async () => {
    const cloud = createScriptedStt(dead(false), 'back');
    const first = await open(cloud, local);
    say(first);
    await first.finish();
    const second = await open(cloud, local);
    say(second);
    expect(await second.finish()).toMatchObject({ text: 'no thanks' });
    await clock.advance(5_000);
    const third = await open(cloud, local);
    say(third);
    expect(await third.finish()).toMatchObject({ text: 'back' });
  });

  it('fails where the last one does', async () => {
    const session = await open(createScriptedStt(dead(false)), createScriptedStt(dead(false)));
    say(session);
    await expect(session.finish()).rejects.toThrow('gone');
  });
});
