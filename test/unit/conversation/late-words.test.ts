import { describe, expect, it } from 'vitest';
import type { Transcript, Stt } from '#speech/stt.js';
import { isOver, listen, say, startTalk, type Talk, type TalkOptions } from '#test/support/scripted-talk.js';

/** Understands an utterance only when the test says what it was. */
function heldHearing() {
  const waiting: ((heard: Transcript) => void)[] = [];
  const hearing: Stt = {
    name: 'held',
    open: async () => ({
      expect: () => {},
      push: () => {},
      finish: () => new Promise((resolve) => waiting.push(resolve)),
      discard: () => {},
      close: () => {},
    }),
    close: async () => {},
  };
  return { hearing, tell: (at: number, text: string) => waiting[at]!({ text, confidence: 1 }) };
}

function startHeld(script: TalkOptions['script']) {
  const { hearing, tell } = heldHearing();
  return { talk: startTalk({ script, agent: { stt: hearing } }), tell };
}

const isListening = (talk: Talk) => () => talk.states.at(-1) === 'listening';
const saidByCaller = (talk: Talk) =>
  talk.entries.filter(({ speaker }) => speaker === 'customer').map(({ text }) => text);

describe('words that are known in another order than they were said', () => {
  it('are one turn, and written down, in the order in which they were said', async () => {
    const { talk, tell } = startHeld([[listen], [listen]]);
    await talk.speak(500);
    await talk.wait(700);
    await talk.speak(500);
    await talk.wait(700);
    tell(1, 'I cannot come');
    await talk.wait(100);
    tell(0, 'no');
    await talk.waitUntil(() => talk.asked.length === 2);
    expect(talk.asked).toEqual(['begin', 'reply: no I cannot come']);
    expect(saidByCaller(talk)).toEqual(['no', 'I cannot come']);
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
  });

  it('are so, too, when the first were said over the agent', async () => {
    const { talk, tell } = startHeld([[say('Would you like to come?'), listen], [listen], [listen]]);
    await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
    await talk.wait(600);
    // Too short to take the floor.
    await talk.speak(240);
    await talk.waitUntil(isListening(talk));
    await talk.wait(300);
    await talk.speak(500);
    await talk.wait(700);
    tell(1, 'on Monday');
    await talk.wait(100);
    tell(0, 'certainly not');
    await talk.waitUntil(() => talk.asked.length === 2);
    await talk.wait(100);
    expect(talk.asked).toEqual(['begin', 'reply: certainly not on Monday']);
    expect(saidByCaller(talk)).toEqual(['certainly not', 'on Monday']);
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
  });
});
