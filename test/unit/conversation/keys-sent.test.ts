import { describe, expect, it } from 'vitest';
import type { SampleRateHz } from '#media/samples/audio.js';
import { dtmfTone } from '#media/detecting/dtmf.js';
import { keysIn, writtenKeys } from '#test/support/key-judge.js';
import { toneMs } from '#test/support/scripted-tts.js';
import {
  end,
  expectNothingLeft,
  isOver,
  listen,
  say,
  startTalk,
  type Talk,
} from '#test/support/scripted-talk.js';
import { joined } from '#test/support/telephone-line.js';

const QUESTION = 'Would you like to come on Monday morning at nine?';

/** Presses keys; whether they were sent, as soon as that is known. */
function press(talk: Talk, keys: string): { areSent: boolean | null } {
  const seen: { areSent: boolean | null } = { areSent: null };
  void talk.conversation.sendKeys(keys).then((areSent) => (seen.areSent = areSent));
  return seen;
}

/** A talk in which the agent is a second into its question. */
async function inMidSentence(utterances: string[] = [], sampleRateHz: SampleRateHz = 8000): Promise<Talk> {
  const script = [
    [say(QUESTION), listen],
    [say('Very well, goodbye.'), end],
  ];
  const talk = startTalk({ script, utterances, sampleRateHz });
  await talk.wait(1_000);
  expect(talk.states).toEqual(['speaking']);
  return talk;
}

const sent = (talk: Talk) => joined([...talk.line.frames]);

describe('keys that we press', () => {
  it.each([8000, 16_000] as const)(
    'go out at once, in mid-sentence, and the sentence goes on after them (%d Hz)',
    async (rateHz) => {
      const talk = await inMidSentence(['yes'], rateHz);
      const pressed = press(talk, '1w2345#');
      await talk.wait(1_600);
      expect(pressed.areSent).toBe(null);
      await talk.wait(200);
      expect(pressed.areSent).toBe(true);
      expect(keysIn(sent(talk), rateHz)[0]!.startMs).toBeLessThan(1_100);

      expect(await talk.waitUntil(() => talk.states.at(-1) === 'listening')).toBe(true);
      expect(writtenKeys(sent(talk), rateHz)).toBe('12345#');
      const [said] = talk.entries;
      expect(said).toMatchObject({ text: QUESTION, interrupted: false });
      // The keys, the whole sentence, and of it a word at most twice.
      const extraMs = said!.endMs - said!.startMs - toneMs(QUESTION) - 1_700;
      expect(extraMs).toBeGreaterThanOrEqual(0);
      expect(extraMs).toBeLessThanOrEqual(420);
      expect(talk.line.clearedAt).toEqual([]);

      await talk.speak(600);
      expect(await talk.waitUntil(isOver(talk))).toBe(true);
      expect(talk.asked).toEqual(['begin', 'reply: yes']);
      await expectNothingLeft(talk);
    },
  );

  it('are in the recording, and on the line as they are recorded', async () => {
    const talk = await inMidSentence();
    press(talk, '59');
    await talk.wait(600);
    expect(writtenKeys(joined(talk.recorded.agent))).toBe('59');
  });

  it('are all pressed, whoever speaks over them, and whatever becomes of the sentence', async () => {
    const talk = await inMidSentence(['stop']);
    talk.line.lagMs = 60;
    const pressed = press(talk, '0123456789');
    await talk.speak(2_400);
    expect(pressed.areSent).toBe(true);
    expect(talk.interruptions.count).toBe(1);
    expect(talk.entries[0]).toMatchObject({ speaker: 'agent', interrupted: true });
    expect(writtenKeys(sent(talk))).toBe('0123456789');
    // Whatever was thrown away at the peer would have been keys.
    expect(talk.line.clearedAt).toEqual([]);
    expect(writtenKeys(joined(talk.recorded.agent))).toBe('0123456789');
  });

  it('are not thrown away either while the peer may still have them to play', async () => {
    const talk = await inMidSentence(['stop']);
    talk.line.lagMs = 300;
    const pressed = press(talk, '7');
    await talk.wait(240);
    expect(pressed.areSent).toBe(true);
    talk.conversation.interrupt();
    expect(talk.interruptions.count).toBe(1);
    expect(talk.line.clearedAt).toEqual([]);
  });

  it('leave an interruption as it is when they are long over', async () => {
    const talk = await inMidSentence(['stop']);
    press(talk, '7');
    await talk.wait(1_000);
    talk.conversation.interrupt();
    expect(talk.line.clearedAt).toHaveLength(1);
  });

  it('are long over, too, on a line that lies ever further behind, or answers no more', async () => {
    const talk = startTalk({ script: [[say(`${QUESTION.slice(0, -1)}, ${QUESTION}`), listen]] });
    await talk.wait(400);
    press(talk, '7');
    talk.line.lagMs = 60_000;
    await talk.wait(3_800);
    expect(talk.states).toEqual(['speaking']);
    talk.conversation.interrupt();
    expect(talk.interruptions.count).toBe(1);
    expect(talk.line.clearedAt).toHaveLength(1);
  });

  it('are not heard as speech when they come back as an echo', async () => {
    const talk = await inMidSentence();
    expect(await talk.waitUntil(() => talk.states.at(-1) === 'listening')).toBe(true);
    press(talk, '24680');
    // Not in step with our frames.
    const echo = joined([
      new Int16Array(90),
      ...[...'24680'].map((key) => dtmfTone(key, 8000).map((sample) => sample / 4)),
    ]);
    await talk.wait(60);
    for (let from = 0; from + 160 <= echo.length; from += 160) {
      await talk.clock.advance(20);
      talk.conversation.hear(echo.slice(from, from + 160));
    }
    await talk.wait(2_000);
    expect(talk.hearing.streams.map(({ utteranceSamples }) => utteranceSamples)).toEqual([[]]);
    expect(talk.partials).toEqual([]);
    expect(talk.asked).toEqual(['begin']);
    expect(talk.entries).toHaveLength(1);
    // It is on the record all the same.
    expect(writtenKeys(joined(talk.recorded.customer))).toBe('24680');
  });

  it('do not keep anybody from being heard who speaks meanwhile', async () => {
    const talk = await inMidSentence(['yes of course']);
    expect(await talk.waitUntil(() => talk.states.at(-1) === 'listening')).toBe(true);
    press(talk, '1w1w1');
    await talk.speak(800);
    await talk.waitUntil(() => talk.asked.length === 2);
    expect(talk.asked[1]).toBe('reply: yes of course');
  });

  it('are pressed in the order in which they were asked for, and before the line is left', async () => {
    const talk = startTalk({ script: [[say('Goodbye.'), end]] });
    await talk.wait(100);
    const both = [press(talk, '12'), press(talk, '3w#')];
    expect(await talk.waitUntil(isOver(talk))).toBe(true);
    expect(both).toEqual([{ areSent: true }, { areSent: true }]);
    expect(writtenKeys(sent(talk))).toBe('123#');
    expect(talk.entries[0]).toMatchObject({ text: 'Goodbye.', interrupted: false });
  });

  it('are waited for also when the last word was said before they were asked for', async () => {
    const talk = startTalk({ script: [[say('Goodbye.'), end]] });
    await talk.waitUntil(() => talk.entries.length === 1);
    const pressed = press(talk, '1w2');
    expect(await talk.waitUntil(isOver(talk))).toBe(true);
    expect(pressed.areSent).toBe(true);
    expect(writtenKeys(sent(talk))).toBe('12');
  });

  it('are waited for by the silence that asks, or hangs up', async () => {
    const limits = { idlePromptSeconds: 2, silenceTimeoutSeconds: 4 };
    const talk = startTalk({ script: [[say('Hello.'), listen]], limits });
    expect(await talk.waitUntil(() => talk.states.at(-1) === 'listening')).toBe(true);
    const pressed = press(talk, 'w'.repeat(12));
    await talk.wait(5_900);
    expect(talk.asked).toEqual(['begin']);
    expect(talk.result()).toBe(null);
    await talk.wait(200);
    expect(pressed.areSent).toBe(true);
    expect(await talk.waitUntil(() => talk.asked.length === 2)).toBe(true);
    expect(talk.asked[1]).toBe('wake: 1');
  });

  it('are not sent when the talk ends first, or is over', async () => {
    const talk = await inMidSentence();
    const pressed = press(talk, '123456');
    await talk.wait(300);
    talk.conversation.stop();
    expect(await talk.waitUntil(isOver(talk))).toBe(true);
    expect(pressed.areSent).toBe(false);
    expect(await talk.conversation.sendKeys('1')).toBe(false);
    await expectNothingLeft(talk);
  });
});
