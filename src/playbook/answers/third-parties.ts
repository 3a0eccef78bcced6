import { FIRST_NAMES, LAST_NAMES } from '#language/english-names.js';
import { matches, phrasingCompiler, toMatchText, type Phrasing } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';

/*
 * Recognises in English who is on the line: another person than the callee ("this is her husband"), a person who hands
 * the phone over, or the callee who gives their name. `readYesNo`, `requestIn` and `Handover` use it.
 */

/**
 * "No" before a statement about another person belongs to it ("no, this is her husband") and is no answer to the
 * question.
 */
const NO = 'no|nope|nah|sorry';

/** Compiles patterns with these classes of words; `language/phrasing.ts` explains the notation. */
const compile = phrasingCompiler({
  no: NO,
  relative:
    '[_] (husband|wife|partner|spouse|mother|father|mum|mom|dad|son|daughter|child|parent|sister|brother|grandmother|' +
    'grandfather|grandma|grandpa|granddaughter|grandson|aunt|uncle|niece|nephew|cousin|boss|assistant|secretary|' +
    'colleague|neighbour|neighbor|girlfriend|boyfriend|roommate|flatmate|carer|nurse|friend)',
  them: 'her|him|them|(my|the|his|her|their) <relative>',
  away:
    'not (here|in|home|at home|around|there|available)|out|asleep|sleeping|in (the (shower|bath)|bed|hospital|a meeting)|' +
    'at (work|school|lunch)|abroad|on (holiday|vacation|leave|the other line)',
  died: 'died|passed away|passed on|(is|are) (dead|deceased|no longer (with us|alive))',
});

/** Statements that another person than the callee is on the line: "this is her husband", "she's not here". */
const THIRD_PARTY = compile(
  '<no>* (this is|it is|i am|you are (speaking|talking) (to|with)|you have [got|reached]) [actually|only|just] ' +
    '(her|his|their) <relative>',
  '<no>* (her|his|their) <relative> (speaking|here)',
  '<no>* (he|she|(my|her|his|their) <relative>) is <away>',
  '<no>* (he|she|(my|her|his|their) <relative>) [has] [sadly] <died> [(a|last|this|in|two|three|some|on) _ [ago]] [ago]',
);
/** Statements that the phone goes to another person: "let me get her", "I'll pass you over", "here she is". */
const HANDED_OVER = compile(
  '(let me|i will|i am going to|can i|shall i) (just|quickly|go|and|see if i can)* (get|fetch|find) <them> ' +
    '[for you|now|to the phone|quickly|please] $',
  '(let me|i will|i am going to|can i|shall i) (just|quickly)* (put|pass|hand) (<them>|you|the phone) ' +
    '(on|over|through|across|to <them>)',
  '^[_] [_] here (he|she) (is|comes) [now] $',
);
/** Questions of the agent for the identity of the speaker: "am I talking to Ada?", "is this {{name}}?" */
const IDENTITY_QUESTION = compile(
  'am i (talking|speaking) (to|with)',
  '(can|could|may) i (talk|speak) (to|with)',
  'do i (have|speak (to|with))',
  '(is|are) (this|that|you) !(right|correct|ok|okay|fine|good|true|a|an|the|convenient) _ [_] $',
);

/** True if the speaker hands the phone to another person. Expects the words of `wordsOf`. */
export function isHandingOver(words: readonly string[]): boolean {
  return matches(HANDED_OVER, toMatchText(words));
}

/** Classes of words for `NAME_DENIAL` and `identityDenial`. */
const DENIAL_WORDS = { no: NO, title: 'mr|mrs|ms|miss|doctor|dr' };
/**
 * Denials with any common name: "I'm not John", "you have the wrong Smith". Compiled once, because the lists of names
 * are long.
 */
const NAME_DENIAL = phrasingCompiler({
  ...DENIAL_WORDS,
  first: FIRST_NAMES.replaceAll(' ', '|'),
  last: LAST_NAMES.replaceAll(' ', '|'),
})(
  '<no>* (i am|(this|it|that) is|you are) not [actually|really] [(speaking|talking) (to|with)] <first> [<last>]',
  '<no>* you [must|probably] (have|want|have got) the wrong (<first>|<last>)',
);
/** The number of words of the callee's name that are matched. Each word makes every match slower. */
const MAX_NAME_WORDS = 12;

/**
 * A phrasing for speakers who deny being the callee: "I'm not Ada", "this isn't Mrs Lovelace", "you're not talking to
 * her".
 * @param callee the names of the callee, separated by blanks; null if unknown
 */
function identityDenial(callee: string | null): Phrasing {
  const names = wordsOf(callee ?? '').filter((word) => word.length > 1);
  return phrasingCompiler({
    ...DENIAL_WORDS,
    her: ['her', 'him', 'she', 'he', ...names.slice(0, MAX_NAME_WORDS)].join('|'),
  })(
    '<no>* (i am|(this|it|that) is|you are) not [actually|really] [(speaking|talking) (to|with)] ' +
      '([<title>] <her> (<her>)*|<title> _|the (person|one|man|woman|lady|guy) (you|that you))',
    '<no>* you [must|probably] (have|want|have got) the wrong (<her>|<title> _)',
    '<no>* <her> (<her>)* [has] [sadly] (died|passed away|passed on|is (dead|deceased|no longer with us)) [_] [_] [ago]',
  );
}

/**
 * The words of an utterance without statements that the speaker is not the callee, or that the callee is away: "this is
 * her husband", "she's not here", "I'm not Ada". Null if the utterance has no statement of this kind.
 * @param callee the names of the callee, separated by blanks; null if unknown
 */
export function withoutThirdParties(words: readonly string[], callee: string | null = null): string[] | null {
  const said = toMatchText(words);
  const statements = [THIRD_PARTY, identityDenial(callee), NAME_DENIAL];
  if (!statements.some((phrasing) => matches(phrasing, said))) return null;
  return statements
    .reduce((rest, phrasing) => rest.replace(phrasing, ''), said)
    .split(' ')
    .filter((word) => word !== '');
}

/** Words that surround a speaker's own name. */
const AROUND_A_NAME = new Set(
  wordsOf(
    'hello hi yes this is it i am that you are talking speaking to with here mr mrs ms miss doctor my name the one',
  ),
);
/** Phrases by which speakers give their name. */
const SELF_INTRODUCTION = compile(
  '(this|it|that) is',
  'i am',
  'my name is',
  'you are (talking|speaking)',
  '(here|speaking) $',
);

/** True if an answer only gives the name that was asked for: "Ada speaking", to "Am I talking to Ada Lovelace?". */
export function givesOwnName(words: readonly string[], asked: string | null): boolean {
  const question = (asked ?? '').split(/(?<=[.!?]) +/).findLast((sentence) => sentence.includes('?')) ?? '';
  const names = new Set(wordsOf(question).filter((word) => !AROUND_A_NAME.has(word)));
  return (
    matches(SELF_INTRODUCTION, toMatchText(words)) &&
    words.some((word) => names.has(word)) &&
    words.every((word) => names.has(word) || AROUND_A_NAME.has(word))
  );
}

/** True if the agent's question asks who is on the line. */
export function asksForIdentity(asked: string | null): boolean {
  return matches(IDENTITY_QUESTION, toMatchText(wordsOf(asked ?? '')));
}
