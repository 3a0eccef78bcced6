import { describe, expect, it } from 'vitest';
import { DEFAULT_TURN_SETTINGS } from '#conversation/talk/turn-settings.js';
import { end, listen, say, startTalk, type Talk } from '#test/support/scripted-talk.js';
import { toneMs } from '#test/support/scripted-tts.js';

const QUESTION = 'Would you like to come on Monday at nine in the morning?';

const isListening = (talk: Talk) => () => talk.states.at(-1) === 'listening';
const isSpeaking = (talk: Talk) => () => talk.states.at(-1) === 'speaking';

describe('speaking over the agent', () => {
  it('makes it pause at once and stops it when it is meant; the transcript keeps what was heard', async () => {
    const talk = startTalk({
      script: [
        [say(QUESTION), listen],
        [say('Sorry.'), end],
      ],
      utterances: ['wait a moment'],
    });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(1_000);
    await talk.speak(900);
    expect(talk.line.clearedAt.length).toBe(1);
    expect(talk.interruptions.count).toBe(1);
    await talk.waitUntil(() => talk.result() !== null);

    const [cut, customer, answer] = talk.entries;
    expect(cut).toMatchObject({ speaker: 'agent', text: 'Would you like to come on', interrupted: true });
    expect(cut).toMatchObject({ unheard: 'Monday at nine in the morning?' });
    expect(talk.entries.filter(({ unheard }) => unheard !== undefined)).toHaveLength(1);
    expect(cut!.endMs).toBe(1_020 + DEFAULT_TURN_SETTINGS.pauseAfterMs);
    expect(talk.line.loudSpan()!.startMs).toBe(cut!.startMs);
    expect(talk.line.isLoud(cut!.endMs / 20)).toBe(false);
    expect(customer).toMatchObject({ text: 'wait a moment', startMs: 1_020 });
    expect(answer).toMatchObject({ text: 'Sorry.', interrupted: false });
    expect(talk.asked).toEqual(['begin', 'reply: wait a moment']);
  });

  it('only to agree makes it pause, and go on from between two words', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen], [end]], utterances: ['mm-hm', 'yes'] });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(500);
    await talk.speak(400);
    await talk.waitUntil(isListening(talk));
    expect(talk.entries.map(({ text }) => text)).toEqual(['mm-hm', QUESTION]);
    expect(talk.entries[1]).toMatchObject({ interrupted: false });
    expect(talk.asked).toEqual(['begin']);
    const loudMs = talk.line.frames.filter((_, tick) => talk.line.isLoud(tick)).length * 20;
    // All of it was said, and at most one word of it twice.
    expect(loudMs).toBeGreaterThanOrEqual(toneMs(QUESTION));
    expect(loudMs).toBeLessThanOrEqual(toneMs(QUESTION) + 420);
    await talk.speak(400);
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.asked).toEqual(['begin', 'reply: yes']);
    expect(talk.interruptions.count).toBe(0);
  });

  it.each([
    ['a cough', 300, ''],
    ['a short "okay"', 300, 'okay'],
    ['a long "yeah yeah, I see, right, okay"', 1_600, 'yeah yeah I see right okay'],
  ])('is no interruption when it is %s: the agent goes on within two seconds', async (_, forMs, words) => {
    const talk = startTalk({ script: [[say(QUESTION), listen], [end]], utterances: [words] });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(1_000);
    await talk.speak(forMs);
    const beganMs = talk.line.frames.length * 20 - forMs;
    await talk.waitUntil(isListening(talk));
    const silentMs = talk.line.frames
      .slice(beganMs / 20, talk.entries.at(-1)!.endMs / 20)
      .filter((_frame, index) => !talk.line.isLoud(beganMs / 20 + index)).length;
    expect(silentMs * 20).toBeLessThanOrEqual(2_000);
    expect(talk.interruptions.count).toBe(0);
    expect(talk.entries.at(-1)).toMatchObject({ speaker: 'agent', text: QUESTION, interrupted: false });
  });

  it('at length stops it even where no word is understood', async () => {
    const talk = startTalk({
      script: [
        [say(QUESTION), listen],
        [say('Pardon?'), listen],
      ],
      utterances: [''],
    });
    await talk.waitUntil(isSpeaking(talk));
    await talk.speak(1_400);
    await talk.waitUntil(() => talk.asked.length === 2);
    expect(talk.asked).toEqual(['begin', 'reply: ']);
    expect(talk.interruptions.count).toBe(1);
  });

  it('does not stop it where it is no one voice, however long: a fit of coughing, a room full of people', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen]], utterances: [''] });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(400);
    await talk.rustle(1_400);
    // It paused, and went on while it was still heard.
    expect(talk.line.clearedAt.length).toBe(1);
    expect(talk.line.isLoud(talk.line.frames.length - 1)).toBe(true);
    await talk.waitUntil(isListening(talk));
    expect(talk.asked).toEqual(['begin']);
    expect(talk.interruptions.count).toBe(0);
    expect(talk.entries).toEqual([expect.objectContaining({ speaker: 'agent', text: QUESTION })]);
  });

  it('is no answer while it listens, either, where it is no one voice', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen]], utterances: [''] });
    await talk.waitUntil(isListening(talk));
    await talk.wait(400);
    await talk.rustle(700);
    await talk.wait(2_000);
    expect(talk.asked).toEqual(['begin']);
    expect(talk.entries).toHaveLength(1);
  });

  it('in words takes the arbitration, whatever it sounds like', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen], [end]], utterances: ['wait a moment'] });
    await talk.waitUntil(isSpeaking(talk));
    await talk.rustle(900);
    expect(talk.interruptions.count).toBe(1);
  });

  it('leaves as much time to go on, once the agent has stopped, as any other turn', async () => {
    const talk = startTalk({
      script: [[say(QUESTION), listen], [end]],
      utterances: ['wait a moment I have a question'],
    });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(1_000);
    await talk.speak(900);
    expect(talk.interruptions.count).toBe(1);
    await talk.wait(DEFAULT_TURN_SETTINGS.openWindowMs - 60);
    await talk.speak(500);
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.asked).toEqual(['begin', 'reply: wait a moment I have a question']);
    const customer = talk.entries.find(({ speaker }) => speaker === 'customer')!;
    expect(customer.endMs - customer.startMs).toBe(900 + DEFAULT_TURN_SETTINGS.openWindowMs - 60 + 500);
  });

  it('with one short "stop" is enough', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen], [end]], utterances: ['stop'] });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(1_000);
    await talk.speak(180);
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.asked).toEqual(['begin', 'reply: stop']);
    expect(talk.entries.find(({ speaker }) => speaker === 'agent')).toMatchObject({ interrupted: true });
  });

  it('that was held to be noise does not make it pause again', async () => {
    const talk = startTalk({
      script: [[say(QUESTION), listen]],
      utterances: ['okay okay okay okay okay okay okay okay okay okay okay okay'],
    });
    await talk.waitUntil(isSpeaking(talk));
    await talk.speak(3_500);
    expect(talk.line.clearedAt.length).toBe(1);
    expect(talk.line.isLoud(talk.line.frames.length - 1)).toBe(true);
  });

  it('tells the thinking what of its turn was heard', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen], [end]], utterances: ['wait a moment'] });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(1_000);
    await talk.speak(900);
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.cut).toEqual(['Would you like to come on']);
    expect(talk.entries[0]!.text).toBe('Would you like to come on');
  });

  it('counts as heard only what the peer has played', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen], [end]], utterances: ['wait a moment'] });
    talk.line.lagMs = 400;
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(1_000);
    await talk.speak(900);
    await talk.waitUntil(() => talk.result() !== null);
    const endMs = 1_020 + DEFAULT_TURN_SETTINGS.pauseAfterMs - 400;
    expect(talk.entries[0]).toMatchObject({ text: 'Would you like to', endMs });
    expect(talk.cut).toEqual(['Would you like to']);
    // The recording holds no more of it either.
    expect(talk.recorded.agent.findLastIndex((frame) => frame.some((sample) => sample !== 0))).toBe(
      endMs / 20 - 1,
    );
  });

  it('holds back an answer that is not begun yet', async () => {
    const talk = startTalk({
      script: [[listen], [say('To half of it.'), listen], [say('To all of it.'), end]],
      utterances: ['I would like', 'to come on Monday'],
    });
    talk.hold.thoughtMs = 300;
    await talk.wait(400);
    await talk.speak(500);
    await talk.wait(700);
    await talk.speak(500);
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.asked).toEqual([
      'begin',
      'reply: I would like',
      'taken back',
      'reply: I would like to come on Monday',
    ]);
    expect(talk.entries.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text)).toEqual([
      'To all of it.',
    ]);
  });

  it('is the answer when it ends after the agent has ended', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen], [end]], utterances: ['yes'] });
    await talk.waitUntil(() => talk.line.frames.length * 20 >= toneMs(QUESTION) - 300);
    await talk.speak(600);
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.asked).toEqual(['begin', 'reply: yes']);
    expect(talk.entries[0]).toMatchObject({ text: QUESTION, interrupted: false });
  });

  it.each([
    ['an uninterruptible turn', [say(QUESTION, false), listen]],
    ['the hangUpSequence', [say(QUESTION), end]],
  ])('does not stop %s', async (_, turn) => {
    const talk = startTalk({ script: [turn], utterances: ['but wait'] });
    await talk.waitUntil(isSpeaking(talk));
    await talk.speak(1_500);
    await talk.waitUntil(() => talk.entries.length === 2);
    expect(talk.entries.find(({ speaker }) => speaker === 'agent')).toMatchObject({
      text: QUESTION,
      interrupted: false,
    });
    expect(talk.line.clearedAt).toEqual([]);
  });

  it('counts only from when the agent speaks', async () => {
    const talk = startTalk({ script: [[say('Hello there, how are you?'), listen]] });
    // In the middle of the caller's sentence the agent begins, since nothing made it wait.
    await talk.speak(480);
    await talk.wait(2_000);
    expect(talk.interruptions.count).toBe(0);
  });

  it('can be asked for, and is nothing while the agent is silent', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen]] });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(600);
    talk.conversation.interrupt();
    talk.conversation.interrupt();
    await talk.wait(100);
    expect(talk.interruptions.count).toBe(1);
    expect(talk.entries[0]!.interrupted).toBe(true);
    expect(talk.states).toEqual(['speaking', 'listening']);
  });
});
