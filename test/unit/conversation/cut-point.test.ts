import { describe, expect, it } from 'vitest';
import { createScriptedTts, toneMs } from '#test/support/scripted-tts.js';
import { end, isOver, listen, say, startTalk, type Talk } from '#test/support/scripted-talk.js';

const QUESTION = 'Would you like to come on Monday?';
const LAG_MS = 1_000;

const nowMs = (talk: Talk) => talk.recorded.agent.length * 20;
const ofAgent = (talk: Talk) => talk.entries.filter(({ speaker }) => speaker === 'agent');

/** The end of the last frame of the agent's that the recording has sound in, within the first so many milliseconds. */
function recordedMs(talk: Talk, withinMs = Infinity): number {
  const frames = talk.recorded.agent.slice(0, withinMs / 20);
  return 20 * (1 + frames.findLastIndex((frame) => frame.some((sample) => sample !== 0)));
}

describe('of last words to a peer that is further behind than anybody waits for', () => {
  it('the rest is thrown away, and is not in the recording either', async () => {
    const talk = startTalk({ script: [[say(QUESTION), end]] });
    talk.line.lagMs = 4_000;
    await talk.waitUntil(isOver(talk));
    const [hangUpSequence] = talk.entries;
    expect(hangUpSequence).toMatchObject({ text: 'Would you', interrupted: true });
    expect(talk.line.clearedAt).toHaveLength(1);
    expect(recordedMs(talk)).toBe(hangUpSequence!.endMs);
  });

  it('the rest is not heard while somebody else is called', async () => {
    const transfer = { kind: 'transfer', to: '+14155550100' } as const;
    const script = [
      [say(QUESTION), transfer],
      [say('They are not there.'), end],
    ];
    const talk = startTalk({ script, transfer: async () => false });
    talk.line.lagMs = 4_000;
    await talk.waitUntil(() => talk.asked.length === 2);
    expect(talk.cut).toEqual(['Would you']);
    expect(talk.line.clearedAt).toHaveLength(1);
    expect(recordedMs(talk)).toBe(talk.entries[0]!.endMs);
    talk.line.lagMs = 0;
    await talk.waitUntil(isOver(talk));
    expect(talk.entries[1]).toMatchObject({ text: 'They are not there.', interrupted: false });
  });
});

it('what the agent went on from after a false alarm stays heard, however far the peer falls behind after it', async () => {
  const talk = startTalk({ script: [[say(`${QUESTION} ${QUESTION}`), listen]], utterances: [''] });
  await talk.wait(800);
  await talk.speak(300);
  const pausedMs = recordedMs(talk);
  await talk.wait(700);
  expect(recordedMs(talk)).toBeGreaterThan(pausedMs);
  talk.line.lagMs = 2_500;
  talk.conversation.stop();
  expect(ofAgent(talk)).toMatchObject([{ text: 'Would you like to', endMs: pausedMs, interrupted: true }]);
  expect(recordedMs(talk)).toBe(pausedMs);
});

describe('who hangs up has heard no more than was played', () => {
  it('after keys that were pressed in the midst of it', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen]] });
    talk.line.lagMs = LAG_MS;
    await talk.wait(1_300);
    const pressed = talk.conversation.sendKeys('1');
    await talk.wait(400);
    expect(await pressed).toBe(true);
    talk.conversation.stop();
    const heardMs = nowMs(talk) - LAG_MS;
    expect(talk.entries).toMatchObject([{ text: 'Would you', endMs: heardMs, interrupted: true }]);
    expect(recordedMs(talk)).toBe(heardMs);
  });

  it('also when the agent had paused to hear them, and keys kept it from throwing the rest away', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen]] });
    talk.line.lagMs = LAG_MS;
    await talk.wait(1_200);
    void talk.conversation.sendKeys('123');
    await talk.speak(400);
    expect(talk.line.clearedAt).toEqual([]);
    talk.conversation.stop();
    const heardMs = nowMs(talk) - LAG_MS;
    expect(ofAgent(talk)).toMatchObject([{ text: 'Would you', endMs: heardMs, interrupted: true }]);
    expect(recordedMs(talk)).toBe(heardMs);
  });
});

it('a break between two sentences is nothing that was missed of the first', async () => {
  const [first, second] = ['One moment please.', 'You are expected at nine on Monday.'];
  const inner = createScriptedTts();
  const voice = { begin: () => {} };
  const begun = new Promise<void>((resolve) => (voice.begin = resolve));
  const speaking: typeof inner = {
    ...inner,
    async *speak(request) {
      if (request.text === second) await begun;
      yield* inner.speak(request);
    },
  };
  const talk = startTalk({ script: [[say(first), say(second), listen]], agent: { tts: speaking } });
  talk.line.lagMs = LAG_MS;
  await talk.wait(toneMs(first) + 3_000);
  voice.begin();
  await talk.wait(200);
  talk.conversation.stop();
  expect(talk.entries).toMatchObject([{ text: first, interrupted: true }]);
  expect(recordedMs(talk)).toBe(toneMs(first));
});

it('a machine that is found while the agent has paused is heard as one that was found at any other time', async () => {
  const talk = startTalk({
    script: [[say(QUESTION), listen]],
    utterances: ['You have reached the practice of Doctor Ames, please leave a message'],
    isOutbound: true,
    voicemail: { action: 'leave_message', message: 'Please call us back.' },
  });
  await talk.wait(400);
  await talk.speak(300);
  expect(talk.line.clearedAt).toHaveLength(1);
  talk.conversation.machineAnswered(false);
  await talk.speak(1_000);
  await talk.wait(500);
  await talk.speak(1_000);
  await talk.waitUntil(isOver(talk));
  expect(talk.entries.filter(({ speaker }) => speaker === 'customer')).toHaveLength(1);
  expect(talk.entries.at(-1)).toMatchObject({ text: 'Please call us back.', interrupted: false });
});
