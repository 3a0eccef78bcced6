import { describe, expect, it } from 'vitest';
import { end, expectNothingLeft, isOver, listen, say, startTalk } from '#test/support/scripted-talk.js';
import { toneMs } from '#test/support/scripted-tts.js';

const QUESTION = 'Would you like to come on Monday?';
const LAG_MS = 400;
/** The end of the question as it was sent, and as it was played. */
const SENT_MS = toneMs(QUESTION);
const PLAYED_MS = SENT_MS + LAG_MS;

const MESSAGE = { action: 'leave_message', message: 'Please call us back.' } as const;

type Talk = ReturnType<typeof startTalk>;
const isListening = (talk: Talk) => () => talk.states.at(-1) === 'listening';
const isSpeaking = (talk: Talk) => () => talk.states.at(-1) === 'speaking';
const nowMs = (talk: Talk) => talk.recorded.agent.length * 20;
const isSent = (talk: Talk) => () => nowMs(talk) >= SENT_MS;

/** The end of the last frame of the agent's that the recording has sound in. */
function recordedMs(talk: Talk): number {
  return 20 * (1 + talk.recorded.agent.findLastIndex((frame) => frame.some((sample) => sample !== 0)));
}

describe.each([
  ['one frame ahead', false],
  ['a fifth of a second ahead', true],
])('what was sent %s to a peer that is behind', (_, isBuffered) => {
  function ask(utterances: string[] = []): Talk {
    const script = [
      [say(QUESTION), listen],
      [say('Good. Until then, take care.'), end],
    ];
    const talk = startTalk({ script, utterances, isBuffered, isOutbound: true, voicemail: MESSAGE });
    talk.line.lagMs = LAG_MS;
    return talk;
  }

  it('was not heard by a caller who hangs up before it is played', async () => {
    for (let afterMs = 0; afterMs < LAG_MS; afterMs += 20) {
      const talk = ask();
      await talk.waitUntil(isSent(talk));
      await talk.wait(afterMs);
      const heardMs = nowMs(talk) - LAG_MS;
      talk.conversation.stop();
      expect(talk.entries).toMatchObject([
        { endMs: Math.min(heardMs, SENT_MS), interrupted: heardMs < SENT_MS },
      ]);
      expect(talk.cut).toEqual(heardMs < SENT_MS ? [talk.entries[0]!.text] : []);
      expect(QUESTION.startsWith(talk.entries[0]!.text)).toBe(true);
      expect(talk.entries[0]!.text === QUESTION).toBe(heardMs >= SENT_MS);
      expect(Math.abs(recordedMs(talk) - talk.entries[0]!.endMs)).toBeLessThan(20);
      await talk.waitUntil(isOver(talk));
      await expectNothingLeft(talk);
    }
  });

  it('is told when it was played and not before, and only then does the agent listen', async () => {
    const talk = ask();
    await talk.waitUntil(() => talk.entries.length === 1);
    expect(nowMs(talk)).toBe(20 * Math.ceil(PLAYED_MS / 20));
    expect(talk.states.at(-1)).toBe('listening');
    expect(talk.entries).toMatchObject([{ text: QUESTION, endMs: SENT_MS, interrupted: false }]);
    talk.conversation.stop();
    expect(talk.entries).toHaveLength(1);
    expect(talk.cut).toEqual([]);
  });

  it('is over for a caller who begins to answer before the end of it is played', async () => {
    const talk = ask(['yes']);
    await talk.waitUntil(isSent(talk));
    await talk.wait(LAG_MS - 100);
    await talk.speak(400);
    await talk.waitUntil(isOver(talk));
    expect(talk.entries).toMatchObject([
      { speaker: 'agent', text: QUESTION, interrupted: false },
      { speaker: 'customer', text: 'yes' },
      { speaker: 'agent', text: 'Good. Until then, take care.' },
    ]);
    expect(talk.interruptions.count).toBe(0);
  });

  it('is answered by a "yes" over the last of it also where the peer tells no more of its playing', async () => {
    const talk = ask(['yes']);
    await talk.waitUntil(isSent(talk));
    await talk.wait(LAG_MS - 100);
    const heardMs = nowMs(talk) - LAG_MS;
    Object.defineProperty(talk.line, 'lagMs', { get: () => nowMs(talk) - heardMs });
    await talk.speak(400);
    await talk.wait(1_500);
    expect(talk.asked).toEqual(['begin', 'reply: yes']);
    talk.conversation.stop();
  });

  it('is not heard in full for an "mm-hm" over the end of it', async () => {
    const talk = ask(['mm-hm']);
    talk.line.lagMs = 1_000;
    await talk.waitUntil(isSent(talk));
    await talk.speak(120);
    await talk.waitUntil(() => talk.entries.length === 1);
    talk.conversation.stop();
    const agent = talk.entries.find(({ speaker }) => speaker === 'agent')!;
    expect(agent).toMatchObject({ endMs: nowMs(talk) - 1_000, interrupted: true });
  });

  it('is interrupted by who speaks, types or presses while it is still played', async () => {
    const acts: ((talk: Talk) => void | Promise<void>)[] = [
      (talk) => talk.speak(800),
      (talk) => talk.conversation.type('no thanks'),
      (talk) => talk.conversation.press('1'),
      (talk) => talk.conversation.interrupt(),
    ];
    for (const act of acts) {
      const talk = ask(['no thanks']);
      talk.line.lagMs = 1_000;
      await talk.waitUntil(isSent(talk));
      await act(talk);
      await talk.waitUntil(() => talk.interruptions.count === 1);
      expect(talk.line.clearedAt).toHaveLength(1);
      const agent = talk.entries.find(({ speaker }) => speaker === 'agent')!;
      expect(agent.interrupted).toBe(true);
      expect(agent.endMs).toBeLessThan(SENT_MS);
      expect(recordedMs(talk)).toBe(20 * Math.ceil(agent.endMs / 20));
      talk.conversation.stop();
    }
  });

  it('is not asked after before a caller had their time to answer what was played', async () => {
    const talk = ask();
    await talk.waitUntil(() => talk.asked.length === 2);
    expect(nowMs(talk) - PLAYED_MS).toBeGreaterThan(10_000 - 40);
    talk.conversation.stop();
  });

  it('is thrown away when a machine is found at the other end', async () => {
    const talk = ask();
    await talk.waitUntil(isSent(talk));
    await talk.wait(100);
    const heardMs = nowMs(talk) - LAG_MS;
    talk.conversation.machineAnswered(false);
    expect(talk.entries).toMatchObject([{ endMs: heardMs, interrupted: true }]);
    await talk.waitUntil(isOver(talk));
    expect(talk.entries).toMatchObject([
      { interrupted: true },
      { text: MESSAGE.message, interrupted: false },
    ]);
  });
});

it('a turn begins when the one before it was played', async () => {
  const texts = ['Hello, this is the practice of Doctor Ames.', 'Okay.', 'You are expected on Monday.'];
  const talk = startTalk({ script: texts.map((text) => [say(text, false), listen]) });
  talk.line.lagMs = 1_500;
  await talk.waitUntil(isSpeaking(talk));
  for (const words of ['hello', 'hello?']) talk.conversation.type(words);
  const ofAgent = () => talk.entries.filter(({ speaker }) => speaker === 'agent');
  const told: number[] = [];
  await talk.waitUntil(() => {
    while (told.length < ofAgent().length) told.push(nowMs(talk) - ofAgent()[told.length]!.endMs);
    return told.length === 3;
  });
  expect(ofAgent()).toMatchObject(texts.map((text) => ({ text, interrupted: false })));
  for (const afterMs of told) expect(Math.abs(afterMs - 1_500)).toBeLessThan(20);
  for (const [at, { startMs }] of ofAgent().entries())
    if (at > 0) expect(startMs - ofAgent()[at - 1]!.endMs).toBeGreaterThanOrEqual(1_480);
  expect(talk.turns).toMatchObject([
    { turn: 1, interrupted: false },
    { turn: 2, interrupted: false },
  ]);
  expect(talk.cut).toEqual([]);
});

it('a hangUpSequence is played to its end also where the peer falls further behind meanwhile', async () => {
  const talk = startTalk({ script: [[say(QUESTION), end]] });
  talk.line.lagMs = LAG_MS;
  await talk.waitUntil(isSent(talk));
  await talk.wait(100);
  talk.line.lagMs = 1_200;
  await talk.waitUntil(isOver(talk));
  expect(talk.entries).toMatchObject([{ text: QUESTION, interrupted: false }]);
  expect(nowMs(talk) - SENT_MS).toBeGreaterThanOrEqual(1_200);
});

it('of a hangUpSequence to a peer that lies a minute behind, nothing was heard', async () => {
  const talk = startTalk({ script: [[say(QUESTION), end]] });
  talk.line.lagMs = 60_000;
  await talk.waitUntil(isOver(talk));
  expect(talk.result()!.end).toEqual({ by: 'agent' });
  expect(talk.entries).toEqual([]);
});

it('what was told as heard stays in the recording, however far the peer falls behind after it', async () => {
  const answer = 'You are expected at nine.';
  const talk = startTalk({
    script: [
      [say(QUESTION), listen],
      [say(answer), listen],
    ],
    utterances: ['yes'],
  });
  talk.line.lagMs = LAG_MS;
  await talk.waitUntil(isListening(talk));
  await talk.speak(400);
  await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
  await talk.wait(100);
  talk.line.lagMs = 3_000;
  talk.conversation.stop();
  expect(talk.entries).toMatchObject([
    { text: QUESTION, endMs: SENT_MS, interrupted: false },
    { speaker: 'customer' },
  ]);
  expect(Math.abs(recordedMs(talk) - SENT_MS)).toBeLessThan(20);
});

it('an answer whose end is not played counts as cut in its timing, too', async () => {
  const talk = startTalk({ script: [[listen], [say(QUESTION), listen]] });
  talk.line.lagMs = LAG_MS;
  talk.conversation.type('hello');
  await talk.waitUntil(() => talk.line.loudSpan() !== null);
  await talk.waitUntil(() => nowMs(talk) >= talk.line.loudSpan()!.startMs + SENT_MS);
  expect(talk.turns).toEqual([]);
  talk.conversation.stop();
  expect(talk.entries.at(-1)).toMatchObject({ speaker: 'agent', interrupted: true });
  expect(talk.turns).toMatchObject([{ turn: 1, interrupted: true }]);
});

it.each([
  ['in the midst of its words', 800],
  ['after them', SENT_MS],
])(
  'who hangs up while keys are pressed %s has heard no more of the agent than was played',
  async (_, atMs) => {
    const talk = startTalk({ script: [[say(QUESTION), listen]] });
    talk.line.lagMs = LAG_MS;
    await talk.waitUntil(() => nowMs(talk) >= atMs);
    const pressed = talk.conversation.sendKeys('1');
    await talk.wait(100);
    talk.conversation.stop();
    const heardMs = nowMs(talk) - LAG_MS;
    expect(talk.entries).toMatchObject([{ endMs: heardMs, interrupted: true }]);
    expect(recordedMs(talk)).toBe(heardMs);
    await talk.waitUntil(isOver(talk));
    expect(await pressed).toBe(false);
  },
);

it('a peer that tells nothing of what it has played has played what was sent', async () => {
  const talk = startTalk({ script: [[say(QUESTION), listen]] });
  await talk.waitUntil(isListening(talk));
  expect(talk.entries).toMatchObject([{ text: QUESTION, endMs: SENT_MS, interrupted: false }]);
  talk.conversation.stop();
});
