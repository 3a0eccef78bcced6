import { describe, expect, it } from 'vitest';
import { SttLink } from '#conversation/hearing/stt-link.js';
import type { Transcript, Stt, SttSession } from '#speech/stt.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const FRAME = new Int16Array(160).fill(1_000);

/** A recogniser of which the test says when it opens, and what becomes of each utterance. */
interface Ear {
  open(): void;
  refuse(error: Error): void;
  tell(text: string): void;
  readonly finishes: { resolve(heard: Transcript): void; reject(error: Error): void }[];
  readonly pushed: number[];
  closed: number;
}

function startLink() {
  const clock = new FakeClock();
  const ears: Ear[] = [];
  const failures: unknown[] = [];
  const partials: string[] = [];
  const abort = new AbortController();
  const hearing: Stt = {
    name: 'held',
    open: ({ onPartial = () => {} }) =>
      new Promise((resolve, reject) => {
        const ear: Ear = {
          open: () => resolve(stream),
          refuse: reject,
          tell: onPartial,
          finishes: [],
          pushed: [],
          closed: 0,
        };
        const stream: SttSession = {
          expect: () => {},
          push: (frame) => void ear.pushed.push(frame[0]!),
          finish: () => new Promise((done, fail) => ear.finishes.push({ resolve: done, reject: fail })),
          discard: () => {},
          close: () => void (ear.closed += 1),
        };
        ears.push(ear);
      }),
    close: async () => {},
  };
  const link = new SttLink({
    clock,
    log: createMemoryLog().log,
    stt: hearing,
    languages: ['en'],
    sampleRateHz: 8_000,
    mayBeMachine: false,
    signal: abort.signal,
    onPartial: (text) => void partials.push(text),
    onEndOfTurn: () => {},
    onFailure: (error) => void failures.push(error),
  });
  const utter = () => {
    link.pushSpeech(FRAME);
    const heard: { text: string | null } = { text: null };
    void link.finish().then(({ text }) => (heard.text = text));
    return heard;
  };
  return { link, clock, ears, failures, partials, abort, utter };
}

describe('a recogniser that fails', () => {
  it('has failed once, however many utterances waited for it', async () => {
    const { ears, failures, utter } = startLink();
    ears[0]!.open();
    await settle();
    const heard = [utter(), utter()];
    for (const finish of ears[0]!.finishes) finish.reject(new Error('gone'));
    await settle();
    expect(heard).toEqual([{ text: '' }, { text: '' }]);
    expect([failures, ears.length]).toEqual([[], 2]);
  });

  it('has failed once, also where two utterances were waited for in vain', async () => {
    const { ears, failures, clock, utter } = startLink();
    ears[0]!.open();
    await settle();
    utter();
    await clock.advance(1_000);
    utter();
    await clock.advance(6_000);
    expect([failures, ears.length]).toEqual([[], 2]);
  });

  it('fails no other that was opened in its place', async () => {
    const { ears, failures, utter } = startLink();
    ears[0]!.open();
    await settle();
    utter();
    utter();
    ears[0]!.finishes[0]!.reject(new Error('gone'));
    await settle();
    ears[1]!.open();
    await settle();
    ears[0]!.finishes[1]!.reject(new Error('gone'));
    await settle();
    const heard = utter();
    ears[1]!.finishes[0]!.resolve({ text: 'still here', confidence: 1 });
    await settle();
    expect(heard.text).toBe('still here');
    expect([failures, ears.length, ears[1]!.closed]).toEqual([[], 2, 0]);
  });

  it('tells no words any more', async () => {
    const { ears, partials, utter } = startLink();
    ears[0]!.open();
    await settle();
    utter();
    ears[0]!.finishes[0]!.reject(new Error('gone'));
    await settle();
    ears[0]!.tell('late');
    ears[1]!.tell('now');
    expect(partials).toEqual(['now']);
  });
});

describe('a recogniser that opens late', () => {
  it('is one, also where words were not waited for so long; none is left open', async () => {
    const { link, ears, failures, clock, utter } = startLink();
    const heard = utter();
    await clock.advance(6_000);
    expect(heard.text).toBe('');
    ears[0]!.open();
    await settle();
    const next = utter();
    ears[0]!.finishes.at(-1)!.resolve({ text: 'hello', confidence: 1 });
    await settle();
    expect(next.text).toBe('hello');
    link.close();
    for (const ear of ears) ear.open();
    await settle();
    expect([failures, ears.map(({ closed }) => closed)]).toEqual([[], [1]]);
  });

  it('hears what was said meanwhile as it was said, as far as the first ten seconds of it', async () => {
    const { link, ears } = startLink();
    const frame = FRAME.slice();
    for (let at = 0; at < 501; at += 1) link.pushSpeech(frame.fill(at));
    ears[0]!.open();
    await settle();
    expect(ears[0]!.pushed).toEqual(Array.from({ length: 500 }, (_, at) => at));
  });

  it('is closed where it was given up', async () => {
    const { link, ears, failures, clock } = startLink();
    await clock.advance(10_000);
    expect(ears.length).toBe(2);
    ears[1]!.open();
    await settle();
    ears[0]!.open();
    await settle();
    expect([failures, ears.map(({ closed }) => closed)]).toEqual([[], [1, 0]]);
    link.close();
    expect(ears.map(({ closed }) => closed)).toEqual([1, 1]);
  });
});
