import { describe, expect, it } from 'vitest';
import type { DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';
import { sleep } from '#kernel/time/clock.js';
import { SentenceStream } from '#speech/sentence-stream.js';
import { dialogueOf } from '#test/support/dialogue-of.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { end, isOver, startTalk, type Talk } from '#test/support/scripted-talk.js';

const delta = (text: string, interruptible = true): DialogueOutput => ({
  kind: 'text_delta',
  text,
  interruptible,
});

/** An agent that opens the talk with these steps; numbers are pauses in milliseconds. */
function talkOf(steps: readonly (DialogueOutput | number)[]): Talk {
  const clock = new FakeClock();
  const dialogue: DialogueManager = dialogueOf({
    async *opening(signal) {
      for (const step of steps) {
        if (typeof step === 'number') await sleep(clock, step, signal);
        else yield step;
      }
    },
    async *heard() {
      yield end;
    },
  });
  return startTalk({ script: [], agent: { dialogue }, clock });
}

const spoken = (talk: Talk) => talk.speaking.requests.map(({ text }) => text);

describe('text that streams from a model', () => {
  it('is spoken from its first clause on, before the rest is there', async () => {
    const talk = talkOf([
      delta('We are open on Monday,'),
      delta(' and '),
      2_000,
      delta('on Friday. Bye.'),
      end,
    ]);
    await talk.wait(500);
    expect(spoken(talk)).toEqual(['We are open on Monday,']);
    expect(talk.line.loudSpan()?.startMs).toBeLessThan(200);
    await talk.waitUntil(isOver(talk));
    expect(spoken(talk)).toEqual(['We are open on Monday,', 'and on Friday.', 'Bye.']);
    expect(talk.entries).toMatchObject([
      { text: 'We are open on Monday, and on Friday. Bye.', interrupted: false },
    ]);
  });

  it('is spoken to its end before a tool is waited for', async () => {
    const talk = talkOf([delta('I am looking'), { kind: 'flush' }, 5_000, delta('It is free'), end]);
    await talk.wait(500);
    expect(spoken(talk)).toEqual(['I am looking']);
    await talk.waitUntil(isOver(talk));
    expect(talk.entries).toMatchObject([{ text: 'I am looking It is free' }]);
  });

  it('is kept as unheard beside what was heard when it is cut, also where its sentence was not complete', async () => {
    const talk = talkOf([delta('We are open on Monday, and on Friday. Bring your'), 10_000]);
    await talk.wait(900);
    talk.conversation.stop();
    const [entry] = talk.entries;
    expect(entry).toMatchObject({ interrupted: true });
    expect(entry!.text).not.toBe('');
    expect(`${entry!.text} ${entry!.unheard}`).toBe('We are open on Monday, and on Friday. Bring your');
  });

  it('is not mixed with text that speaks to its end', async () => {
    const talk = talkOf([delta('You may cut this'), delta('but not this', false), end]);
    await talk.waitUntil(isOver(talk));
    expect(spoken(talk)).toEqual(['You may cut this', 'but not this']);
  });

  // Complaint 4: a caller who hears nothing says "Hello?", and that cancels each answer (pipecat#5842).
  it('is heard six seconds after it began where it dribbles and ends no sentence', async () => {
    const words = Array.from({ length: 9 }, (_, i) => `word${i} `);
    const talk = talkOf([...words.flatMap((word) => [delta(word), 3_000]), end]);
    const heardAtMs: number[] = [];
    for (let passedMs = 0; passedMs < 27_000; passedMs += 1_000) {
      const before = spoken(talk).length;
      await talk.wait(1_000);
      if (spoken(talk).length > before) heardAtMs.push(passedMs + 1_000);
    }
    expect(heardAtMs[0]).toBeLessThanOrEqual(7_000);
    expect(Math.max(...heardAtMs.map((atMs, i) => atMs - (heardAtMs[i - 1] ?? 0)))).toBeLessThanOrEqual(
      10_000,
    );
    await talk.waitUntil(isOver(talk));
    expect(talk.entries.map(({ text }) => text).join(' ')).toBe(words.join('').trim());

    // Without the timer nothing of it is spoken before its end.
    const naive = new SentenceStream();
    expect(words.flatMap((word) => naive.push(word))).toEqual([]);
  });
});
