import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listen, say, startTalk, type Talk } from '#test/support/scripted-talk.js';

const SENTENCES = [
  'Good morning, this is Robin from the clinic. Would you like to come on Monday?',
  'Thank you very much for that. Is nine in the morning all right for you?',
  'Then I will write it down. Do you need anything else from us today?',
];
const WORDS = ['', 'uh huh', 'stop', 'yes', 'no I would rather come on Tuesday', 'okay'];

/** Stretches of voice and silence, in frames of 20 ms, and what is understood of each voice. */
const behaviour = fc.array(
  fc.record({ voiceFrames: fc.integer({ min: 1, max: 90 }), quietFrames: fc.integer({ min: 1, max: 120 }) }),
  { minLength: 1, maxLength: 8 },
);
const understood = fc.array(fc.constantFrom(...WORDS), { minLength: 10, maxLength: 10 });

/** Nothing of these is a matter of timing: they hold whatever is heard. */
function expectSound(talk: Talk): void {
  for (const entry of talk.entries) {
    expect(entry.endMs).toBeGreaterThanOrEqual(entry.startMs);
    if (entry.speaker === 'customer') continue;
    expect(entry.text).not.toBe('');
    // What was heard is how something said begins.
    expect(SENTENCES.some((sentence) => sentence.startsWith(entry.text))).toBe(true);
    if (!entry.interrupted) expect(SENTENCES).toContain(entry.text);
  }
  for (const heard of talk.cut) {
    expect(heard === '' || SENTENCES.some((sentence) => sentence.startsWith(heard))).toBe(true);
  }
  const agent = talk.entries.filter(({ speaker }) => speaker === 'agent');
  for (const [index, entry] of agent.entries()) {
    if (index > 0) expect(entry.startMs).toBeGreaterThanOrEqual(agent[index - 1]!.endMs);
  }
  // One state at a time, and never the same one twice.
  for (const [index, state] of talk.states.entries()) expect(state).not.toBe(talk.states[index - 1]);
}

describe('whatever is heard', () => {
  it('is one talk: turns end, and what was heard is how something said begins', async () => {
    await fc.assert(
      fc.asyncProperty(behaviour, understood, async (stretches, utterances) => {
        const talk = startTalk({
          script: SENTENCES.map((sentence) => [say(sentence), listen]),
          utterances: [...utterances],
        });
        for (const { voiceFrames, quietFrames } of stretches) {
          await talk.speak(voiceFrames * 20);
          await talk.wait(quietFrames * 20);
        }
        // Everything the agent still has to say fits into this; then it listens and waits.
        await talk.wait(12_000);
        expect(talk.result() === null).toBe(true);
        expect(['listening', 'speaking']).toContain(talk.states.at(-1));
        talk.conversation.stop();
        await talk.wait(100);
        expectSound(talk);
      }),
      { numRuns: 60, seed: 20_260 },
    );
  });
});
