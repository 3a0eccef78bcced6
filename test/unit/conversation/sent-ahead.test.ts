import { describe, expect, it } from 'vitest';
import type { DialogueManager } from '#dialogue/dialogue-manager.js';
import { DEFAULT_TURN_SETTINGS } from '#conversation/talk/turn-settings.js';
import { dialogueOf } from '#test/support/dialogue-of.js';
import { end, listen, say, startTalk, type Talk } from '#test/support/scripted-talk.js';
import { toneMs } from '#test/support/scripted-tts.js';

const QUESTION = 'Would you like to come on Monday or on Tuesday?';
/** Says something, and then decides for ever what follows. */
function thinksAfter(text: string): DialogueManager {
  return dialogueOf({
    async *opening(signal) {
      yield say(text);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
}
const isSpeaking = (talk: Talk) => () => talk.states.at(-1) === 'speaking';

describe.each([
  ['one frame ahead', false],
  ['a fifth of a second ahead', true],
])('an agent whose sound is sent %s', (_, isBuffered) => {
  it('is interrupted in the same word, and the recording ends there too', async () => {
    const talk = startTalk({
      script: [
        [say(QUESTION), listen],
        [say('Sorry.'), end],
      ],
      utterances: ['wait a moment'],
      isBuffered,
    });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(1_000);
    await talk.speak(900);
    expect(talk.line.clearedAt).toHaveLength(1);
    await talk.waitUntil(() => talk.result() !== null);
    const cut = talk.entries[0]!;
    expect(cut).toMatchObject({
      text: 'Would you like to come on',
      startMs: 0,
      endMs: 1_020 + DEFAULT_TURN_SETTINGS.pauseAfterMs,
      interrupted: true,
    });
    expect(talk.cut).toEqual(['Would you like to come on']);
    const isSilent = (at: number) => talk.recorded.agent[at]!.every((sample) => sample === 0);
    expect(isSilent(cut.endMs / 20 - 1)).toBe(false);
    expect(isSilent(cut.endMs / 20)).toBe(true);
  });

  it('goes on after a cough from between two words, and all of it is said', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen], [end]], utterances: [''], isBuffered });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(500);
    await talk.speak(300);
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    const said = talk.recorded.agent.filter((frame) => frame.some((sample) => Math.abs(sample) > 500));
    expect(said.length * 20).toBeGreaterThanOrEqual(toneMs(QUESTION));
    expect(said.length * 20).toBeLessThanOrEqual(toneMs(QUESTION) + 420);
  });

  it('is listening when its last word was heard, and hangs up after it', async () => {
    const talk = startTalk({
      script: [
        [say(QUESTION), listen],
        [say('Bye.'), end],
      ],
      utterances: ['no'],
      isBuffered,
    });
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    expect(talk.recorded.agent).toHaveLength(Math.ceil(toneMs(QUESTION) / 20));
    await talk.speak(400);
    await talk.waitUntil(() => talk.result() !== null);
    const bye = talk.entries.at(-1)!;
    expect(bye).toMatchObject({ text: 'Bye.', interrupted: false });
    expect(talk.recorded.agent.length).toBe(Math.ceil((bye.endMs + 200) / 20));
  });

  it.each([0, 400])(
    'is not interrupted before a sentence is over that must be heard (%d ms behind)',
    async (lagMs) => {
      const NOTICE = 'This call is recorded.';
      for (let afterMs = -600; afterMs <= 600; afterMs += 20) {
        const talk = startTalk({ script: [[say(NOTICE, false), say(QUESTION), listen], [end]], isBuffered });
        talk.line.lagMs = lagMs;
        await talk.waitUntil(isSpeaking(talk));
        await talk.wait(toneMs(NOTICE) + afterMs);
        talk.conversation.interrupt();
        if (talk.interruptions.count > 0) expect(talk.entries[0]!.text).toContain(NOTICE);
        if (afterMs >= lagMs + 40) expect(talk.interruptions.count).toBe(1);
        talk.conversation.stop();
      }
    },
  );

  it('was heard to the end, to the millisecond, when it is interrupted in a long thought that follows', async () => {
    const talk = startTalk({
      script: [],
      isBuffered,
      agent: { dialogue: thinksAfter(QUESTION.slice(0, -1)) },
    });
    talk.line.lagMs = 400;
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(5_000);
    talk.conversation.interrupt();
    expect(talk.entries).toMatchObject([{ text: QUESTION.slice(0, -1), endMs: toneMs(QUESTION) - 50 }]);
  });

  it('ends in transcript and recording alike when it is interrupted soon after it went on', async () => {
    for (let afterMs = 0; afterMs < 500; afterMs += 20) {
      const talk = startTalk({ script: [[say(QUESTION), listen]], utterances: [''], isBuffered });
      talk.line.lagMs = 60;
      await talk.waitUntil(isSpeaking(talk));
      await talk.wait(600);
      await talk.speak(300);
      await talk.wait(300 + afterMs);
      talk.conversation.stop();
      const frame = talk.recorded.agent.findLastIndex((samples) => samples.some((sample) => sample !== 0));
      const entry = talk.entries.find(({ speaker }) => speaker === 'agent')!;
      expect([afterMs, entry.endMs]).toEqual([afterMs, (frame + 1) * 20]);
    }
  });

  it('ends in transcript and recording alike, also in a last frame that is half full', async () => {
    for (let heardMs = 1_000; heardMs <= 1_400; heardMs += 20) {
      const text = 'One, two, three, four, fiv.';
      const talk = startTalk({ script: [[say(text), listen]], isBuffered });
      await talk.waitUntil(isSpeaking(talk));
      await talk.wait(heardMs);
      talk.conversation.stop();
      const frame = talk.recorded.agent.findLastIndex((samples) => samples.some((sample) => sample !== 0));
      const samples = talk.recorded.agent[frame]!.findLastIndex((sample) => sample !== 0) + 1;
      expect(talk.entries[0]!.endMs).toBeCloseTo(frame * 20 + samples / 8, 0);
    }
  });

  it('does not hang up before the keys were heard that were pressed at the very end', async () => {
    for (let afterMs = 0; afterMs < 180; afterMs += 20) {
      let unplayedFrames = 0;
      const recorder = {
        write: (customer: Int16Array | null) => void (unplayedFrames += customer ? 0 : 1),
        insertLate: () => {},
        stalled: () => {},
        retract: () => {},
      };
      const talk = startTalk({ script: [[say('Bye.'), end]], isBuffered, parts: { recorder } });
      await talk.waitUntil(isSpeaking(talk));
      await talk.wait(toneMs('Bye.') + afterMs);
      const areSent = talk.conversation.sendKeys('12');
      await talk.waitUntil(() => talk.result() !== null);
      expect([afterMs, await areSent, unplayedFrames]).toEqual([afterMs, true, 0]);
    }
  });

  it('was heard up to the moment at which the caller hung up', async () => {
    const talk = startTalk({ script: [[say(QUESTION), listen]], isBuffered });
    await talk.waitUntil(isSpeaking(talk));
    await talk.wait(1_000);
    talk.conversation.stop();
    await talk.waitUntil(() => talk.result() !== null);
    const [entry] = talk.entries;
    expect(entry!.endMs).toBe(talk.recorded.agent.length * 20);
  });
});
