import { describe, expect, it } from 'vitest';
import { alignedWords, wordsOf } from '#speech/aligned-words.js';

/** Words of 100 ms each. */
const told = (text: string) => wordsOf(text).map((word, at) => ({ text: word, endMs: (at + 1) * 100 }));

describe('times of the words as they were written', () => {
  it.each([
    ['See you at 3:30 today.', 'See you at three thirty today.', [100, 200, 300, 500, 600]],
    ['Hello there.', 'Hello there.', [100, 200]],
    ['It costs €12.50 now', 'It costs 12 euros 50 now', [100, 200, 500, 600]],
    ['7 11', 'seven eleven', [100, 200]],
    ['Dr. Weiß', 'Doctor Weiß', [100, 200]],
    ['A & B', 'A and B', [100, 200, 300]],
  ])('%s', (written, read, ends) => {
    const words = alignedWords(written, read)(told(read));
    expect(words.map(({ endMs }) => endMs)).toEqual(ends);
    expect(words.map(({ text }) => text)).toEqual(wordsOf(written));
  });

  it('knows only the words that are over so far', () => {
    const align = alignedWords('See you at 3:30 today.', 'See you at three thirty today.');
    expect(align(told('See you at three')).map(({ text }) => text)).toEqual(['See', 'you', 'at']);
    expect(align([])).toEqual([]);
  });

  it('takes words that the voice has cut in another way', () => {
    const marks = ['Good', ' ', 'mor', 'ning', '.'].map((text, at) => ({ text, endMs: (at + 1) * 10 }));
    expect(alignedWords('Good morning.', 'Good morning.')(marks)).toEqual([
      { text: 'Good', endMs: 10 },
      { text: 'morning.', endMs: 40 },
    ]);
  });
});
