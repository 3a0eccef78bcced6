import { describe, expect, it } from 'vitest';
import { yesNoTranscript } from '#providers/builtin/pocketsphinx/confidence/yes-no-transcript.js';
import { NOT_UNDERSTOOD, type AlignedWord } from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import { mayBeRefusal, combinePasses } from '#providers/builtin/pocketsphinx/confidence/combine-passes.js';

/** An alignment written as `i can:0.3 do`; a word without seconds has 0.2, and `-` is a silence. */
function aligned(text: string, perSecond = -0.1): AlignedWord[] {
  const words = text.split(' ').map((part) => {
    const [word, seconds = '0.2'] = part.split(':');
    const d = Number(seconds);
    return { t: word === '-' ? '<sil>' : word!, d, p: Math.exp(perSecond * d) };
  });
  const silence = { t: '<sil>', d: 0.3, p: Math.exp(perSecond * 0.3) };
  return [silence, ...words, silence];
}

const said = (text: string, confidence = 0.7) => ({ text, confidence });

describe('a yes', () => {
  it.each([
    ['i can:0.24 do that', 'i can do that'],
    ['yes i can:0.45', 'yes i can'],
    ['sure we can:0.4 do that', 'sure we can do that'],
    ['can(2):0.35 you repeat that', 'can you repeat that'],
    ['fine with me', 'fine with me'],
    ['it works - for me', 'it works for me'],
  ])('is heard in "%s"', (alignment, text) => {
    expect(yesNoTranscript(aligned(alignment))).toMatchObject({ text });
  });

  it.each([
    'i can:0.35 do that',
    'we can(2):0.3 come',
    'i can:0.4',
    'fine i can:0.2',
    'it -:0.2 does',
    'this -:0.15 is he',
  ])('that may be a no is not understood: "%s"', (alignment) => {
    expect(yesNoTranscript(aligned(alignment))).toEqual(NOT_UNDERSTOOD);
  });

  it.each(['fine yes it will', 'uh fine i would', 'i confirm'])(
    'begins like noise: "%s" has to be clear',
    (text) => {
      expect(yesNoTranscript(aligned(text, -0.1))).toMatchObject({ text });
      expect(yesNoTranscript(aligned(text, -0.28))).toEqual(NOT_UNDERSTOOD);
    },
  );
});

describe('a no', () => {
  it.each([
    "i can't:0.35 come",
    "i can't:0.5",
    "i'm afraid i can't:0.2 come",
    "no i can't:0.2 come",
    "it -:0.2 doesn't",
  ])('is heard in "%s"', (alignment) => {
    const text = alignment.replaceAll(/:[\d.]+| -(?=[ :])/g, '');
    expect(yesNoTranscript(aligned(alignment))).toMatchObject({ text });
  });

  it('that may be "I can come" is not understood', () => {
    expect(yesNoTranscript(aligned("i can't:0.22 come"))).toEqual(NOT_UNDERSTOOD);
  });
});

describe('a second hearing', () => {
  it('is for what was not understood, or not for certain, and no no', () => {
    expect([NOT_UNDERSTOOD, said('fine', 0.6), said('yes i will', 0.5)].every(mayBeRefusal)).toBe(true);
    expect([said('no'), said("i'm afraid not"), said('yes please')].some(mayBeRefusal)).toBe(false);
  });

  it.each(["unfortunately i can't", 'sorry not today', "that's no good for me"])(
    'finds the refusal that the first did not know: "%s"',
    (text) => {
      expect(combinePasses(NOT_UNDERSTOOD, said(text))).toEqual(said(text));
      expect(combinePasses(said('fine certainly i can', 0.45), said(text))).toEqual(said(text));
    },
  );

  it('leaves open what one takes for a yes and the other, less surely, for a no', () => {
    expect(combinePasses(said('fine that is okay', 0.5), said('not right now', 0.45))).toEqual(
      NOT_UNDERSTOOD,
    );
    expect(combinePasses(said('it does', 0.5), said('no', 0.9))).toEqual(NOT_UNDERSTOOD);
  });

  it('makes no refusal of a mumble, and a yes of nothing', () => {
    expect(combinePasses(NOT_UNDERSTOOD, said('not today', 0.8))).toEqual(NOT_UNDERSTOOD);
    expect(combinePasses(NOT_UNDERSTOOD, said("i don't want it", 0.5))).toEqual(NOT_UNDERSTOOD);
    expect(combinePasses(NOT_UNDERSTOOD, said('yes of course', 0.9))).toEqual(NOT_UNDERSTOOD);
  });

  it('changes neither a no nor what is heard alike', () => {
    expect(combinePasses(said('no', 0.5), said('not today', 0.9))).toEqual(said('no', 0.5));
    expect(combinePasses(said('yes i can', 0.5), said('yes i will', 0.9))).toEqual(said('yes i can', 0.5));
  });
});
