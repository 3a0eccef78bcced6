import { describe, expect, it, onTestFinished } from 'vitest';
import type { Joining } from '#conversation/talk/conversation.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { frameSamples } from '#media/samples/audio.js';
import { end, expectNothingLeft, isOver, listen, say, startTalk } from '#test/support/scripted-talk.js';

const TO = '+14155550100';
const WARM = { briefing: 'Anna is here.', ringSeconds: 20, stay: false };
const HOLD_MS = 30_000;
const NOTE = 3_000;
const hold = { sound: { at: () => new Int16Array(80).fill(NOTE) }, limitMs: HOLD_MS };
const transfer: DialogueOutput = { kind: 'transfer', to: TO, warm: WARM };

/** A talk of an agent that has asked something, with everything that its line is asked to be joined with. */
function talking(script: DialogueOutput[][] = [[say('Hello.'), listen]], heard: string[] = []) {
  const asked: { to: string; briefing: string | null; signal: AbortSignal }[] = [];
  let settle: (isJoined: boolean) => void = () => {};
  const outcome = () => new Promise<boolean>((resolve) => (settle = resolve));
  const joining: Joining = {
    call: (to, { briefing }, signal) => {
      asked.push({ to, briefing, signal });
      return outcome();
    },
    accept: outcome,
  };
  const talk = startTalk({ script, utterances: heard, joining, parts: { hold } });
  onTestFinished(() => talk.conversation.stop());
  const { steering } = talk.conversation;
  const isHeld = (from: number) =>
    talk.line.frames.slice(from).some((frame) => frame.every((sample) => sample === NOTE));
  return { talk, steering, asked, isHeld, settle: (isJoined: boolean) => settle(isJoined) };
}

describe('a caller on hold', () => {
  it('hears the sound of it, is heard, and is asked for when it is over', async () => {
    const { talk, steering, isHeld } = talking(
      [
        [say('Hello.'), listen],
        [say('Still there?'), listen],
      ],
      ['yes'],
    );
    await talk.waitUntil(() => talk.entries.length > 0);
    await talk.wait(200);
    expect(steering.hold()).toBe(true);
    expect(steering.mode).toBe('held');
    const from = talk.line.frames.length;
    await talk.speak(600);
    await talk.wait(5_000);
    expect(isHeld(from)).toBe(true);
    expect(talk.overheard).toEqual(['yes']);
    for (const refused of [
      steering.hold(),
      steering.mute(),
      steering.unmute(),
      steering.say('x', { interrupt: true }),
    ])
      expect(refused).toBe(false);
    expect(steering.resume()).toBe(true);
    const after = talk.line.frames.length + 1;
    await talk.waitUntil(() => talk.asked.length > 1);
    expect(talk.asked).toEqual(['begin', 'wake: 0']);
    expect(isHeld(after)).toBe(false);
  });

  it('is with the agent again when nobody ends it', async () => {
    const { talk, steering } = talking([
      [say('Hello.'), listen],
      [say('Still there?'), listen],
    ]);
    await talk.waitUntil(() => talk.entries.length > 0);
    await talk.wait(200);
    steering.hold();
    await talk.wait(HOLD_MS - 1_000);
    expect(steering.mode).toBe('held');
    await talk.wait(2_000);
    expect(steering.mode).toBe('agent');
  });

  it('is talked to by an operator who takes them over', async () => {
    const { talk, steering, isHeld } = talking();
    await talk.waitUntil(() => talk.entries.length > 0);
    steering.hold();
    await talk.wait(200);
    expect(steering.takeOver()).toBe(true);
    const from = talk.line.frames.length + 1;
    await talk.wait(500);
    expect([steering.mode, isHeld(from)]).toEqual(['operator', false]);
    expect(steering.handBack()).toBe(true);
    expect(steering.mode).toBe('agent');
  });
});

describe('a warm transfer of the agent', () => {
  const SCRIPT = [
    [say('One moment please.', false), transfer],
    [say('Sorry.'), listen],
  ];

  it('keeps the caller on hold until they are joined with a person, whom they hear', async () => {
    const { talk, steering, asked, isHeld, settle } = talking(SCRIPT, ['hello']);
    await talk.waitUntil(() => asked.length > 0);
    expect(asked).toMatchObject([{ to: TO, briefing: 'Anna is here.' }]);
    const from = talk.line.frames.length;
    await talk.wait(3_000);
    expect([steering.mode, isHeld(from)]).toEqual(['held', true]);
    expect(steering.join()).toBe(true);
    settle(true);
    expect(steering.mode).toBe('joined');
    const joined = talk.line.frames.length + 1;
    for (let piece = 0; piece < 30; piece += 1) {
      steering.speak(
        new Int16Array(frameSamples(8_000)).map((_, index) => (index % 20 < 10 ? 6_000 : -6_000)),
      );
      await talk.wait(20);
    }
    await talk.wait(1_500);
    expect(isHeld(joined)).toBe(false);
    expect(talk.line.loudSpan(joined)).not.toBeNull();
    await talk.speak(600);
    await talk.wait(1_500);
    expect(talk.entries.at(-1)).toMatchObject({ speaker: 'customer', text: 'hello' });
    expect(talk.asked).toEqual(['begin']);
    for (const refused of [
      steering.takeOver(),
      steering.hold(),
      steering.resume(),
      await steering.transfer(TO),
    ])
      expect(refused).toBe(false);
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
    await expectNothingLeft(talk);
  });

  it('that comes to nothing leads to a turn of the agent', async () => {
    const { talk, steering, asked, settle } = talking(SCRIPT);
    await talk.waitUntil(() => asked.length > 0);
    settle(false);
    await talk.waitUntil(() => talk.entries.length > 1);
    expect(talk.asked).toEqual(['begin', 'not transferred']);
    expect(steering.mode).toBe('agent');
    expect(steering.join()).toBe(false);
  });

  it.each(['resume', 'takeOver'] as const)('is taken back by %s, once', async (act) => {
    const { talk, steering, asked, settle } = talking(SCRIPT);
    await talk.waitUntil(() => asked.length > 0);
    expect(steering[act]()).toBe(true);
    expect(asked[0]!.signal.aborted).toBe(true);
    settle(false);
    await talk.wait(500);
    if (act === 'takeOver') expect(steering.handBack()).toBe(true);
    await talk.waitUntil(() => talk.entries.length > 1);
    expect(talk.asked).toEqual(['begin', 'not transferred']);
  });

  it('is given up when the caller hangs up', async () => {
    const { talk, asked } = talking(SCRIPT);
    await talk.waitUntil(() => asked.length > 0);
    talk.conversation.stop();
    expect(asked[0]!.signal.aborted).toBe(true);
    await talk.waitUntil(isOver(talk));
    await expectNothingLeft(talk);
  });

  it('ends with the agent on the line again, where it stays', async () => {
    const { talk, steering, asked } = talking([SCRIPT[0]!, [say('Here I am.'), end]]);
    await talk.waitUntil(() => asked.length > 0);
    steering.join();
    await talk.wait(500);
    steering.personLeft();
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'returned']);
    expect(talk.entries.at(-1)).toMatchObject({ text: 'Here I am.' });
  });
});

describe('the line of a person who takes a caller', () => {
  it('is joined, and hears whispers beside the caller', async () => {
    const { talk, steering } = talking([[say('Thank you.', false), { kind: 'join' }]]);
    await talk.waitUntil(() => talk.entries.length > 0);
    await talk.wait(200);
    expect(steering.join()).toBe(true);
    const from = talk.line.frames.length;
    for (let piece = 0; piece < 20; piece += 1) {
      steering.speak(new Int16Array(160).fill(1_000));
      steering.whisper(new Int16Array(160).fill(500));
      await talk.wait(20);
    }
    const levels = new Set(talk.line.frames.slice(from).map((frame) => frame[0]));
    expect(levels).toContain(1_500);
  });
});
