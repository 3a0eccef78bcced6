import { wordsOf } from '#language/words.js';
import { NOT_A_NAME, ALLOWED_FIRST_NAMES, ALLOWED_LAST_NAMES } from './not-names.js';

/** Words before a name. */
const LEAD = new RegExp(
  '^(?:(?:yes|yeah|sure|okay|ok|oh|hi|hello|well|so|um|uh|no|sorry|just|simply|actually) )*' +
    "(?:(?:my |me |the |his |her )?(?:(?:first |last |full |family )?name (?:is|would be)|name's) |" +
    'you are (?:speaking|talking) (?:with|to) |(?:this|it|that|he|she) is (?:for |under )?|i am |me (?!(?:too|neither|and|as|or)(?: |$))|i said |i meant |(?:they|people|everyone|everybody) call(?:s)? me |' +
    '(?:you can |just |please )*call me |it should be |make it |(?:you can )?(?:put|book) (?:it |me |that )?(?:down )?(?:under |for |as )?|' +
    '(?:a |the |my )?(?:reservation|booking|order|table) (?:is )?(?:under|for) |ask for |(?:my|his|her) (?:wife|husband|son|daughter|name) |under |for )?',
);
/** Words after a name. */
const TRAIL =
  /(?: (?:speaking|here|please|thanks|thank you|is my name|is the name|on the phone|is fine|is good|is ok|is okay|will do|with an? [a-z]))+$/;
/** First and last name, each announced, in either order: "first name John, last name Smith". */
const BOTH_PARTS = /^(first|last) name (?:is )?(.+?) (?:and )?(?:my )?(first|last) name (?:is )?(.+)$/;
/** Words between a wrong name and the right one. */
const CHANGE = /^.+? (?:no|sorry|wait|actually|i mean|i meant) (.+)$/;
/** Words before a spelled name: "that is K E L L E R", "spelled A N N A". */
const SPELLED =
  /(?:^| )(?:(?:and )?(?:that|it|which) is (?:spelled |spelt |written )?|spelled |spelt |(?:i |you )?spell (?:it|that) )(?=(?:double )?[a-z] (?:double )?[a-z](?: |$))/;
/** A letter with a word that begins with it: "A as in alpha", "S for sugar". */
const LETTER_AS_IN = /(?<![^ ])([a-z]) (?:as in|for|like) \1[a-z]+/g;
/** Remarks on spelling after a name: "Phillips, double L", "Carl spelled with a C", "Kylie like the singer". */
const DETAIL =
  /(?<=[^ ]{2})(?: (?:(?:that is |it is )?(?:spelled |spelt |written )?with(?:out)? (?:an? |a double |two |one |the letter |the )?[a-z]s?|double [a-z]|two [a-z]s|(?:like|as in) the .+))+$/;
/** Remarks on the origin of a name, which contain no name: "it's Greek". */
const NATIONAL =
  /^(?:it|that|this) is (?:a |an |originally |actually |very |from )*(?:greek|polish|german|french|italian|spanish|irish|scottish|welsh|english|dutch|danish|swedish|norwegian|finnish|russian|ukrainian|turkish|indian|chinese|japanese|korean|vietnamese|hungarian|czech|portuguese|arabic|african|american|hebrew|persian|european)(?: name| one)?$/;
/** Greetings of other languages, which are no names. */
const FOREIGN_GREETING =
  /^(?:(?:ni hao|nihao|wei|guten (?:tag|morgen|abend)|gr[uü](?:ss|ß) gott|hallo|moin|bonjour|bonsoir|salut|allô|allo|hola|buen(?:os|as) (?:d[ií]as|tardes|noches)|ciao|buon ?giorno|buona ?sera|pronto|ol[aá]|bom dia|boa (?:tarde|noite)|namaste|salaam|salam(?: alaikum)?|shalom|merhaba|konnichiwa|moshi moshi|zdravstvuyte|privet|dzie[nń] dobry|aloha)(?: |$))+$/;
/** A longer text is no name. */
const LONGEST_NAME_WORDS = 4;

/**
 * Reads the spoken or spelled name of a person, in English: "this is Ada Lovelace speaking" gives "Ada Lovelace". Null
 * if the text contains no name.
 */
export function readName(text: string): string | null {
  // In "not John, Joan" only the comma shows which name is ruled out, so it is read before the words are taken apart.
  const keptParts = text
    .split(/(?<=[,;!?]|\.\s)/)
    .filter((part) => !/^\s*not\b/i.test(part))
    .join(' ');
  // Without hesitations, words after "speaking" ("Ada speaking, who is this"), and words about the spelling.
  const said = wordsOf(keptParts)
    .filter((word) => !/^(?:um|uh|er|erm)$/.test(word))
    .join(' ')
    .replace(/(?<!\byou are) speaking .*$/, ' speaking')
    .replace(LETTER_AS_IN, '$1')
    .replace(SPELLED, ' ')
    .trim();
  const parts = BOTH_PARTS.exec(said);
  if (parts && parts[1] !== parts[3])
    return parts[1] === 'first'
      ? nameOf(`${parts[2]} ${parts[4]}`, text)
      : nameOf(`${parts[4]} ${parts[2]}`, text);
  // "Smith, no, Smyth": the later name, if it is one.
  const changed = CHANGE.exec(said)?.[1];
  return (changed === undefined ? null : bareName(changed, text)) ?? bareName(said, text);
}

/**
 * The name in one statement, without the words around it; null if there is none.
 * @param said the words of the statement, joined by blanks
 * @param text the original utterance, for its hyphens
 */
function bareName(said: string, text: string): string | null {
  if (NATIONAL.test(said) || FOREIGN_GREETING.test(said)) return null;
  return nameOf(said.replace(DETAIL, '').replace(LEAD, '').replace(TRAIL, ''), text);
}

/** Joins and capitalises the words of a name, spelled letters included; null if they are no name. */
function nameOf(bare: string, text: string): string | null {
  const words = spelledOut(bare === '' ? [] : withoutLastNameFirst(bare.split(' ')));
  if (words.length === 0 || words.length > LONGEST_NAME_WORDS) return null;
  if (words.every((word) => isLetter(word))) return null;
  const hasOtherWord = words.some((word, index) => {
    const exceptions = index === 0 ? ALLOWED_FIRST_NAMES : ALLOWED_LAST_NAMES;
    return /\d/.test(word) || (NOT_A_NAME.has(word) && !exceptions.has(word));
  });
  return hasOtherWord ? null : hyphenated(words, text);
}

/** Drops a last name that is said twice: "Bond, James Bond". */
function withoutLastNameFirst(words: readonly string[]): readonly string[] {
  return words.length === 3 && words[0] === words[2] && words[0]!.length > 1 ? words.slice(1) : words;
}

/** Joins letters at the end, which spell the last word: "Smith, S M Y T H" is Smyth, "s c o double t" is Scott. */
function spelledOut(words: readonly string[]): string[] {
  const letters: string[] = [];
  let from = words.length;
  let groups = 0;
  while (from > 0 && isLetter(words[from - 1])) {
    const isDouble = words[from - 2] === 'double';
    letters.unshift(...Array.from({ length: isDouble ? 2 : 1 }, () => words[from - 1]!));
    from -= isDouble ? 2 : 1;
    groups += 1;
  }
  // "Double L" alone spells no name.
  if (groups < 2) return [...words];
  const before = words.slice(0, from);
  // The word before the letters is the same name if it begins with the same letter.
  const kept = before.at(-1)?.[0] === letters[0] ? before.slice(0, -1) : before;
  return [...kept, letters.join('')];
}

function isLetter(word: string | undefined): boolean {
  return word !== undefined && /^\p{L}$/u.test(word);
}

/** The words of a name, with hyphens where the text has them. */
function hyphenated(words: readonly string[], text: string): string {
  const written = text.normalize('NFKC').toLowerCase();
  return words.reduce((name, word, index) => {
    if (index === 0) return capitalised(word);
    const isJoined = written.includes(`${words[index - 1]}-${word}`);
    return `${name}${isJoined ? '-' : ' '}${capitalised(word)}`;
  }, '');
}

function capitalised(word: string): string {
  return word.replace(
    /(^|['-])(\p{L})/gu,
    (_all, before: string, letter: string) => before + letter.toUpperCase(),
  );
}
