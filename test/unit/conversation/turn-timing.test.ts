import { describe, expect, it } from 'vitest';
import { FRAME_MS } from '#media/samples/audio.js';
import type { Tts } from '#speech/tts.js';
import { end, isOver, listen, say, startTalk, type Talk } from '#test/support/scripted-talk.js';
import { createScriptedTts } from '#test/support/scripted-tts.js';

const isListening = (talk: Talk) => () => talk.states.at(-1) === 'listening';

describe('the numbers of a response', () => {
  it('hold the end-of-turn window and add up', async () => {
    const talk = startTalk({
      script: [[say('Hello.'), listen], [say('Good.'), listen], [end]],
      utterances: ['yes', 'no'],
    });
    await talk.waitUntil(isListening(talk));
    await talk.speak(500);
    await talk.waitUntil(() => talk.turns.length === 1);
    const [, answer, reply] = talk.entries;
    const parts = { endOfTurnMs: 600, sttMs: 0, thinkMs: 0, speakMs: 0, totalMs: 600 };
    expect(talk.turns).toEqual([{ turn: 1, ...parts, soundedAtMs: reply!.startMs, interrupted: false }]);
    expect(reply!.startMs - answer!.endMs).toBe(600);
    await talk.speak(500);
    await talk.waitUntil(() => talk.result() !== null);
    // A turn that says nothing answers nothing.
    expect(talk.turns.length).toBe(1);
  });

  it('are those of the first sentence that can be heard, and nothing is sent for one that cannot', async () => {
    const voice = createScriptedTts();
    const speaking: Tts = {
      ...voice,
      async *speak(request) {
        if (request.text !== '王.') yield* voice.speak(request);
      },
    };
    const talk = startTalk({ script: [[listen], [say('王. Good morning.'), end]], agent: { tts: speaking } });
    await talk.speak(500);
    await talk.waitUntil(isOver(talk));
    expect(talk.turns).toMatchObject([{ speakMs: 0, totalMs: 600 }]);
    expect(talk.entries.at(-1)).toMatchObject({ speaker: 'agent', startMs: 1_100 });
    const sounding = talk.recorded.agent.findIndex((frame) => frame.some((sample) => sample !== 0));
    expect(sounding * FRAME_MS).toBe(talk.entries.at(-1)!.startMs);
  });
});
