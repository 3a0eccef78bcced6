import { describe, expect, it } from 'vitest';
import { end, expectNothingLeft, isOver, listen, say, startTalk } from '../../support/scripted-talk.js';
import { toneMs } from '../../support/scripted-speaking.js';

const QUESTION = 'Would you like to come on Monday?';
const LAG_MS = 400;
/** The end of the question as it was sent, and as it was played. */
const SENT_MS = toneMs(QUESTION);
const PLAYED_MS = SENT_MS + LAG_MS;

const MESSAGE = { action: 'leave_message', message: 'Please call us back.' } as const;

type Talk = ReturnType<typeof startTalk>;
const isListening = (talk: Talk) => () => talk.states.at(-1) === 'listening';
const nowMs = (talk: Talk) => talk.recorded.agent.length * 20;

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
      await talk.waitUntil(isListening(talk));
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

  it('is told when it was played, and not before', async () => {
    const talk = ask();
    await talk.waitUntil(isListening(talk));
    await talk.waitUntil(() => talk.entries.length === 1);
    expect(nowMs(talk)).toBe(20 * Math.ceil(PLAYED_MS / 20));
    expect(talk.entries).toMatchObject([{ text: QUESTION, endMs: SENT_MS, interrupted: false }]);
    talk.conversation.stop();
    expect(talk.entries).toHaveLength(1);
    expect(talk.cut).toEqual([]);
  });

  it('comes before the words of a caller who does not wait for the end of it', async () => {
    const talk = ask(['yes']);
    await talk.waitUntil(isListening(talk));
    talk.line.lagMs = 2_000;
    await talk.speak(400);
    await talk.waitUntil(isOver(talk));
    expect(talk.entries).toMatchObject([
      { speaker: 'agent', text: QUESTION, interrupted: false },
      { speaker: 'customer', text: 'yes' },
      { speaker: 'agent', text: 'Good. Until then, take care.' },
    ]);
  });

  it('is thrown away when a machine is found at the other end', async () => {
    const talk = ask();
    await talk.waitUntil(isListening(talk));
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

it('of two turns that are both on their way, the first is cut and nothing is kept of the second', async () => {
  const talk = startTalk({
    script: [
      [say('Hello, this is the practice of Doctor Ames.', false), listen],
      [say('You are expected on Monday.'), listen],
    ],
  });
  talk.line.lagMs = 1_500;
  await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
  talk.conversation.type('hello');
  await talk.waitUntil(() => talk.asked.length === 2);
  await talk.wait(300);
  talk.conversation.stop();
  const agent = talk.entries.filter(({ speaker }) => speaker === 'agent');
  expect(agent).toMatchObject([{ interrupted: true, endMs: nowMs(talk) - 1_500 }]);
  expect(talk.cut).toEqual(['']);
  expect(recordedMs(talk)).toBe(agent[0]!.endMs);
});

it('of three turns that are all on their way, nothing is kept of those that were not played', async () => {
  const talk = startTalk({
    script: [
      [say('Hello, this is the practice of Doctor Ames.', false), listen],
      [say('Okay.', false), listen],
      [say('You are expected on Monday.'), listen],
    ],
  });
  talk.line.lagMs = 1_500;
  await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
  for (const words of ['hello', 'hello?']) talk.conversation.type(words);
  await talk.waitUntil(() => talk.asked.length === 3);
  await talk.wait(100);
  talk.conversation.stop();
  const agent = talk.entries.filter(({ speaker }) => speaker === 'agent');
  expect(agent).toMatchObject([{ interrupted: true, endMs: nowMs(talk) - 1_500 }]);
  expect(talk.cut).toEqual(['']);
  expect(talk.turns).toMatchObject([{ interrupted: true }, { interrupted: true }]);
  expect(recordedMs(talk)).toBe(agent[0]!.endMs);
});

it('turns that are all on their way are told in their order, each when it was played', async () => {
  const texts = ['Hello, this is the practice of Doctor Ames.', 'Okay.', 'You are expected on Monday.'];
  const talk = startTalk({ script: texts.map((text) => [say(text, false), listen]) });
  talk.line.lagMs = 1_500;
  await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
  for (const words of ['hello', 'hello?']) talk.conversation.type(words);
  const told: number[] = [];
  await talk.waitUntil(() => {
    const agent = talk.entries.filter(({ speaker }) => speaker === 'agent');
    while (told.length < agent.length) told.push(nowMs(talk) - agent[told.length]!.endMs);
    return told.length === 3;
  });
  expect(talk.entries.filter(({ speaker }) => speaker === 'agent')).toMatchObject(
    texts.map((text) => ({ text, interrupted: false })),
  );
  for (const afterMs of told) expect(Math.abs(afterMs - 1_500)).toBeLessThan(20);
  expect(talk.turns).toMatchObject([
    { turn: 1, interrupted: false },
    { turn: 2, interrupted: false },
  ]);
  expect(talk.cut).toEqual([]);
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
  await talk.waitUntil(isListening(talk));
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
