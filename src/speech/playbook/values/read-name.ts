import { wordsOf } from '../words.js';

/** What people say around their name. */
const LEAD =
  /^(?:(?:yes|yeah|sure|okay|ok|oh|hi|hello|well|so|um|uh|no|sorry) )*(?:(?:my |the |his |her )?(?:(?:first|last|full|family) )?name (?:is|would be) |(?:this|it|that|he|she) is |i am |i said |i meant |you can call me |call me |it should be |make it |put |under )?/;
const TRAIL = /(?: (?:speaking|here|please|thanks|thank you|is my name|is the name|on the phone))+$/;
/** Nobody is called that; whoever says it has not told a name. */
const NO_NAME = new Set(
  (
    'yes no not yeah nope okay ok sure what why who when where how the a an and or but if i you we they he she it is are am was ' +
    'will would can could do does did please sorry thanks thank hello hi there this that my your name here maybe later call ' +
    'right wrong know think dunno nothing none one two three four five six seven eight nine ten zero to of for on in at'
  ).split(' '),
);
const LONGEST_NAME_WORDS = 4;

/** Reads a name, spelled out or said; null when no name was told. "This is Ada Lovelace speaking" gives Ada Lovelace. */
export function readName(text: string): string | null {
  const said = wordsOf(text)
    .filter((word) => !/^(?:um|uh|er|erm)$/.test(word))
    .join(' ');
  const bare = said.replace(LEAD, '').replace(TRAIL, '');
  const words = bare === '' ? [] : bare.split(' ');
  const spelled = words.length >= 2 && words.every((word) => /^[a-z]$/.test(word));
  if (spelled) return capitalised(words.join(''));
  if (words.length === 0 || words.length > LONGEST_NAME_WORDS) return null;
  if (words.some((word) => NO_NAME.has(word) || /\d/.test(word))) return null;
  return words.map(capitalised).join(' ');
}

function capitalised(word: string): string {
  return word.replace(
    /(^|['-])(\p{L})/gu,
    (_all, before: string, letter: string) => before + letter.toUpperCase(),
  );
}
