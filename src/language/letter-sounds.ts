/** The phones (ARPAbet) of English spellings. The first spelling that fits counts, so longer spellings come first. */
const SOUNDS: readonly (readonly [spelling: string, phones: string])[] = [
  ['tion', 'SH AH N'],
  ['sion', 'ZH AH N'],
  ['ough', 'AO'],
  ['augh', 'AO'],
  ['eigh', 'EY'],
  ['igh', 'AY'],
  ['tch', 'CH'],
  ['sch', 'SH'],
  ['dge', 'JH'],
  ['ock', 'AA K'],
  ['ch', 'CH'],
  ['ck', 'K'],
  ['sh', 'SH'],
  ['th', 'TH'],
  ['ph', 'F'],
  ['wh', 'W'],
  ['kn', 'N'],
  ['wr', 'R'],
  ['gh', 'G'],
  ['qu', 'K W'],
  ['ng', 'NG'],
  ['ee', 'IY'],
  ['ea', 'IY'],
  ['ie', 'IY'],
  ['ei', 'EY'],
  ['ai', 'EY'],
  ['ay', 'EY'],
  ['ey', 'IY'],
  ['oo', 'UW'],
  ['ou', 'AW'],
  ['ow', 'OW'],
  ['oa', 'OW'],
  ['oi', 'OY'],
  ['oy', 'OY'],
  ['au', 'AO'],
  ['aw', 'AO'],
  ['ew', 'UW'],
  ['ue', 'UW'],
  ['ar', 'AA R'],
  ['er', 'ER'],
  ['ir', 'ER'],
  ['ur', 'ER'],
  ['or', 'AO R'],
  ['ce', 'S EH'],
  ['ci', 'S IH'],
  ['cy', 'S IY'],
  ['ge', 'JH EH'],
  ['gi', 'JH IH'],
  ['a', 'AE'],
  ['b', 'B'],
  ['c', 'K'],
  ['d', 'D'],
  ['e', 'EH'],
  ['f', 'F'],
  ['g', 'G'],
  ['h', 'HH'],
  ['i', 'IH'],
  ['j', 'JH'],
  ['k', 'K'],
  ['l', 'L'],
  ['m', 'M'],
  ['n', 'N'],
  ['o', 'OW'],
  ['p', 'P'],
  ['q', 'K'],
  ['r', 'R'],
  ['s', 'S'],
  ['t', 'T'],
  ['u', 'AH'],
  ['v', 'V'],
  ['w', 'W'],
  ['x', 'K S'],
  ['z', 'Z'],
];

/** The phones of vowels before one consonant and a silent e, where a vowel sounds like its name: "zane", "vibe". */
const LONG_VOWELS: Readonly<Record<string, string>> = { a: 'EY', e: 'IY', i: 'AY', o: 'OW', u: 'UW' };

/**
 * The phones of a word (ARPAbet, separated by blanks), by rules of thumb of English spelling. A guess for names and
 * brands that are in no dictionary: the built-in recogniser and the check for phrases that sound alike use it. Empty
 * for a word without letters from a to z.
 */
export function toPhones(word: string): string {
  let rest = word
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    // A double consonant sounds like a single one.
    .replace(/([bcdfgklmnprstz])\1/g, '$1');
  const phones: string[] = [];
  while (rest !== '') {
    // A vowel, one consonant and a silent e end the word.
    const longVowelEnding = /^([aeiou])([bcdfgjklmnpqrstvxz])e$/.exec(rest);
    if (longVowelEnding) {
      phones.push(LONG_VOWELS[longVowelEnding[1]!]!, ...toPhones(longVowelEnding[2]!).split(' '));
      break;
    }
    if (rest[0] === 'y') {
      phones.push(phones.length === 0 && rest.length > 1 ? 'Y' : 'IY');
      rest = rest.slice(1);
      continue;
    }
    const [spelling, sound] = SOUNDS.find(([start]) => rest.startsWith(start))!;
    phones.push(sound);
    rest = rest.slice(spelling.length);
  }
  return phones.join(' ');
}
