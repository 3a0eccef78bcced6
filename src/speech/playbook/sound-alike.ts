import { toSounds } from '../pocketsphinx/letter-sounds.js';
import { toWords } from '../pocketsphinx/words.js';

/**
 * One sound of so many may differ before two phrases count as alike: "fifteen" and "fifty", but not "red" and "bed".
 */
const SOUNDS_PER_DIFFERENCE = 5;

/** Letters by their names: "plan B". */
const LETTERS: ReadonlyMap<string, string> = new Map(
  (
    'a EY, b B IY, c S IY, d D IY, e IY, f EH F, g JH IY, h EY CH, i AY, j JH EY, k K EY, l EH L, m ' +
    'EH M, n EH N, o OW, p P IY, q K Y UW, r AA R, s EH S, t T IY, u Y UW, v V IY, w D AH B AH L Y ' +
    'UW, x EH K S, y W AY, z Z IY'
  )
    .split(', ')
    .map((named) => [named.slice(0, 1), named.slice(2)]),
);

/** Words that are said alike though the rules of spelling tell them apart, in groups. */
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

/** The sounds of a phrase, word by word, by the rules of English spelling. */
export function soundsOf(phrase: string): string[][] {
  return toWords(phrase).map((written) => {
    const word = HOMOPHONES.get(written) ?? written;
    return (LETTERS.get(word) ?? toSounds(word)).split(' ');
  });
}

/** Whether a recogniser on a telephone line will mix two phrases up. */
export function soundAlike(one: readonly string[][], other: readonly string[][]): boolean {
  // Words that both have at the beginning or the end do not help to tell them apart.
  const [first, second] = withoutCommonEnds(one, other, isSameWord).map((words) => words.flat()) as [
    string[],
    string[],
  ];
  // One phrase within the other is told from it by its further words; without any they are the same to the ear. What
  // has no sounds at all is written in other letters: nothing is known of how it is heard.
  if (first.length === 0 || second.length === 0) return one.length > 0 && first.length === second.length;
  const allowed = Math.floor(Math.max(first.length, second.length) / SOUNDS_PER_DIFFERENCE);
  if (Math.abs(first.length - second.length) > allowed) return false;
  const [changed, into] = withoutCommonEnds(first, second, (a, b) => a === b);
  return (
    Math.max(changed.length, into.length) <= allowed || (allowed > 1 && distance(changed, into) <= allowed)
  );
}

function isSameWord(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((sound, index) => sound === other[index]);
}

function withoutCommonEnds<Part>(
  one: readonly Part[],
  other: readonly Part[],
  isSame: (one: Part, other: Part) => boolean,
): [readonly Part[], readonly Part[]] {
  const shortest = Math.min(one.length, other.length);
  let start = 0;
  while (start < shortest && isSame(one[start]!, other[start]!)) start += 1;
  let end = 0;
  while (end < shortest - start && isSame(one.at(-1 - end)!, other.at(-1 - end)!)) end += 1;
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}

/** How many sounds have to be changed, added or left out (Levenshtein). */
function distance(one: readonly string[], other: readonly string[]): number {
  let row = other.map((_sound, index) => index + 1);
  row.unshift(0);
  for (const [index, sound] of one.entries()) {
    const next = [index + 1];
    for (const [at, otherSound] of other.entries()) {
      next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + Number(sound !== otherSound)));
    }
    row = next;
  }
  return row.at(-1)!;
}
