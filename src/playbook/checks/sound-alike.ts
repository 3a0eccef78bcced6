import { toPhones } from '#language/letter-sounds.js';
import { toPronounceableWords } from '#language/pronounceable-words.js';

/*
 * Estimates whether a speech recogniser confuses two phrases on the telephone. `question-checks.ts` refuses a playbook
 * if phrases for different answers are alike.
 */

/** Phrases are alike if at most one sound in five differs: "fifteen" and "fifty", but not "red" and "bed". */
const SOUNDS_PER_DIFFERENCE = 5;

/** How the names of the letters are pronounced, in ARPAbet phones: the "B" of "plan B" is B IY. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  (
    'a EY, b B IY, c S IY, d D IY, e IY, f EH F, g JH IY, h EY CH, i AY, j JH EY, k K EY, l EH L, m ' +
    'EH M, n EH N, o OW, p P IY, q K Y UW, r AA R, s EH S, t T IY, u Y UW, v V IY, w D AH B AH L Y ' +
    'UW, x EH K S, y W AY, z Z IY'
  )
    .split(', ')
    .map((named) => [named.slice(0, 1), named.slice(2)]),
);

/**
 * Groups of words that sound alike although the spelling rules give them different sounds: the first word of a group
 * replaces the others.
 */
const HOMOPHONES: ReadonlyMap<string, string> = new Map(
  (
    'four for fore, two to too, one won, eight ate, six sicks, son sun, there their, flower flour, hour our, ' +
    'pair pear pare, buy by bye, new knew, red read, dear deer, here hear, meet meat, wait weight, way weigh, whole hole, ' +
    'write right rite, would wood, wear where ware, steel steal, sail sale, piece peace, plane plain, night knight, ' +
    'cash cache, cent sent scent, cell sell, fair fare, great grate, heal heel, mail male, mane main, none nun, ' +
    'root route, sea see, some sum, stair stare, tail tale, week weak, which witch, blew blue, berry bury, brake break, ' +
    'rain reign, road rode, role roll, sight site, sole soul, suite sweet, thrown throne, tide tied, waist waste'
  )
    .split(', ')
    .flatMap((group) => {
      const [first, ...others] = group.split(' ') as [string, ...string[]];
      return others.map((word): [string, string] => [word, first]);
    }),
);

/** The characters given to sounds so far. */
const CHARACTERS = new Map<string, string>();

/** The sounds of a phrase by English spelling rules: one string per word, one character per sound. */
export function soundsOf(phrase: string): string[] {
  return toPronounceableWords(phrase).map((written) => {
    const word = HOMOPHONES.get(written) ?? written;
    return (LETTERS.get(word) ?? toPhones(word)).split(' ').map(characterOf).join('');
  });
}

/** A character that stands for a sound, so that sounds can be compared as text. */
function characterOf(sound: string): string {
  const character = CHARACTERS.get(sound) ?? (sound === '' ? '' : String.fromCharCode(33 + CHARACTERS.size));
  CHARACTERS.set(sound, character);
  return character;
}

/**
 * True if a recogniser on a telephone line is likely to confuse two phrases. Phrases in scripts without known sounds
 * are never alike.
 * @param first the sounds of one phrase, as `soundsOf` returns them
 * @param second those of the other
 */
export function soundAlike(first: readonly string[], second: readonly string[]): boolean {
  // Words that both phrases share at the beginning or end do not help to tell them apart.
  const sharedWords = commonEnds(first, second);
  const firstRest = first.slice(sharedWords.start, first.length - sharedWords.end).join('');
  const secondRest = second.slice(sharedWords.start, second.length - sharedWords.end).join('');
  // If nothing is left of one phrase, it is a part of the other, which differs by whole words: not alike. If nothing is
  // left of either, they sound the same. Phrases without words (of another script) are never alike.
  if (firstRest === '' || secondRest === '') return first.length > 0 && firstRest === secondRest;
  const allowed = Math.floor(Math.max(firstRest.length, secondRest.length) / SOUNDS_PER_DIFFERENCE);
  if (Math.abs(firstRest.length - secondRest.length) > allowed) return false;
  const { start, end } = commonEnds(firstRest, secondRest);
  const firstMiddle = firstRest.slice(start, firstRest.length - end);
  const secondMiddle = secondRest.slice(start, secondRest.length - end);
  // A single difference lies between the common ends. Several may lie apart, so they are counted.
  return (
    Math.max(firstMiddle.length, secondMiddle.length) <= allowed ||
    (allowed > 1 && isEditDistanceWithin(allowed, firstMiddle, secondMiddle))
  );
}

/** The number of elements (words or sounds) that two sequences share at the beginning and at the end. */
function commonEnds(first: ArrayLike<string>, second: ArrayLike<string>): { start: number; end: number } {
  const shortest = Math.min(first.length, second.length);
  let start = 0;
  while (start < shortest && first[start] === second[start]) start += 1;
  let end = 0;
  while (end < shortest - start && first[first.length - 1 - end] === second[second.length - 1 - end])
    end += 1;
  return { start, end };
}

/**
 * True if at most `limit` sounds have to be changed, added or removed (Levenshtein distance). Computes only a band of
 * the table and stops early: a playbook may have hundreds of thousands of pairs.
 */
function isEditDistanceWithin(limit: number, first: string, second: string): boolean {
  let row = Array.from({ length: second.length + 1 }, (_cell, at) => at);
  let next = [...row];
  for (let index = 0; index < first.length; index += 1) {
    next.fill(Infinity);
    if (index < limit) next[0] = index + 1;
    const end = Math.min(second.length, index + 1 + limit);
    let nearest = next[0]!;
    for (let at = Math.max(1, index + 1 - limit); at <= end; at += 1) {
      const changed = row[at - 1]! + (first[index] === second[at - 1] ? 0 : 1);
      next[at] = Math.min(changed, row[at]! + 1, next[at - 1]! + 1);
      nearest = Math.min(nearest, next[at]!);
    }
    if (nearest > limit) return false;
    [row, next] = [next, row];
  }
  return row[second.length]! <= limit;
}
