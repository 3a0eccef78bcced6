import { describe, expect, it } from 'vitest';
import { SentenceStream } from '#speech/sentence-stream.js';
import { splitSentences } from '#speech/sentences.js';

/** What comes of a text that arrives in pieces of so many characters, push by push and with the flush last. */
function piecesOf(text: string, size: number): string[] {
  const stream = new SentenceStream();
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += size)
    pieces.push(...stream.push(text.slice(from, from + size)));
  return [...pieces, ...stream.flush()];
}

const TEXTS = [
  'We are open on Monday, on Tuesday and on Friday. Dr. Adams is in at 9 a.m. on Tuesday. Shall I book it?',
  'Yes.',
  'Well, then I would suggest that we meet on Monday the 3. It costs $3.50! All right?',
  `One ${'very '.repeat(60)}long sentence, with a clause or two; it goes on: and on. And a second one.`,
  'A text without an end of its sentence',
];

describe('a text that comes in pieces', () => {
  it.each(TEXTS)('is spoken word for word, wherever it is cut: %s', (text) => {
    for (const size of [1, 2, 3, 7, 40, text.length])
      expect(piecesOf(text, size).join(' '), `pieces of ${size}`).toBe(text);
  });

  it('begins with its first clause, and goes on sentence by sentence', () => {
    const stream = new SentenceStream();
    expect(stream.push('We are open on Monday and on')).toEqual([]);
    expect(stream.push(' Tuesday, ')).toEqual(['We are open on Monday and on Tuesday,']);
    expect(stream.push('and never on Sunday. ')).toEqual([]);
    // "Sunday. " may still be followed by anything: the next sentence tells.
    expect(stream.push('Shall I')).toEqual(['and never on Sunday.']);
    expect(stream.push(' book it, or not?')).toEqual([]);
    expect(stream.flush()).toEqual(['Shall I book it, or not?']);
  });

  it('is cut as a whole text is, once it is too long to wait for', () => {
    const text = `${'word '.repeat(100)}end.`;
    const pieces = piecesOf(text, 5);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(200);
    expect(pieces.join(' ')).toBe(splitSentences(text).join(' '));
  });

  it('waits while there is something to be spoken, and never speaks what has no sound', () => {
    const stream = new SentenceStream();
    expect([stream.push(' … '), stream.isWaiting]).toEqual([[], false]);
    expect([stream.push('Yes'), stream.isWaiting]).toEqual([[], true]);
    expect(stream.flush()).toEqual(['… Yes']);
    expect([stream.isWaiting, stream.flush()]).toEqual([false, []]);
    expect(stream.push(' - ')).toEqual([]);
    expect(stream.flush()).toEqual([]);
  });
});
