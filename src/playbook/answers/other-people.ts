import { FIRST_NAMES, LAST_NAMES } from '#language/english-names.js';
import { isSaid, phrasings, spoken, type Phrasing } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';

/** "No, this is her husband": the "no" belongs to that statement and is no answer to the question. */
const NO = 'no|nope|nah|sorry';

const says = phrasings({
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

/** "This is her husband", "she's not here": another person than the callee is on the line. */
const SOMEBODY_ELSE = says(
  '<no>* (this is|it is|i am|you are (speaking|talking) (to|with)|you have [got|reached]) [actually|only|just] ' +
    '(her|his|their) <relative>',
  '<no>* (her|his|their) <relative> (speaking|here)',
  '<no>* (he|she|(my|her|his|their) <relative>) is <away>',
  '<no>* (he|she|(my|her|his|their) <relative>) [has] [sadly] <died> [(a|last|this|in|two|three|some|on) _ [ago]] [ago]',
);
/** "Let me get her", "I'll pass you over", "here she is": the phone goes to another person. */
const HANDED_OVER = says(
  '(let me|i will|i am going to|can i|shall i) (just|quickly|go|and|see if i can)* (get|fetch|find) <them> ' +
    '[for you|now|to the phone|quickly|please] $',
  '(let me|i will|i am going to|can i|shall i) (just|quickly)* (put|pass|hand) (<them>|you|the phone) ' +
    '(on|over|through|across|to <them>)',
  '^[_] [_] here (he|she) (is|comes) [now] $',
);
/** "Am I talking to Ada?", "is this {{name}}?" */
const ASKS_WHO = says(
  'am i (talking|speaking) (to|with)',
  '(can|could|may) i (talk|speak) (to|with)',
  'do i (have|speak (to|with))',
  '(is|are) (this|that|you) !(right|correct|ok|okay|fine|good|true|a|an|the|convenient) _ [_] $',
);

/** True if the speaker hands the phone to another person. Expects the words of `wordsOf`. */
export function isHandingOver(words: readonly string[]): boolean {
  return isSaid(HANDED_OVER, spoken(words));
}

const DENYING = { no: NO, title: 'mr|mrs|ms|miss|doctor|dr' };
/** "I'm not John", "you have the wrong Smith": names other than the callee's. Compiled once: the lists are long. */
const DENYING_SOME_NAME = phrasings({
  ...DENYING,
  first: FIRST_NAMES.replaceAll(' ', '|'),
  last: LAST_NAMES.replaceAll(' ', '|'),
})(
  '<no>* (i am|(this|it|that) is|you are) not [actually|really] [(speaking|talking) (to|with)] <first> [<last>]',
  '<no>* you [must|probably] (have|want|have got) the wrong (<first>|<last>)',
);
/** The most words of the callee's name that are used. Each word makes every match slower. */
const MOST_NAMES = 12;

/**
 * Matches a speaker who denies being the callee: "I'm not Ada", "this isn't Mrs Lovelace", "you're not talking to
 * her".
 */
function denyingToBe(called: string | null): Phrasing {
  const names = wordsOf(called ?? '').filter((word) => word.length > 1);
  return phrasings({ ...DENYING, her: ['her', 'him', 'she', 'he', ...names.slice(0, MOST_NAMES)].join('|') })(
    '<no>* (i am|(this|it|that) is|you are) not [actually|really] [(speaking|talking) (to|with)] ' +
      '([<title>] <her> (<her>)*|<title> _|the (person|one|man|woman|lady|guy) (you|that you))',
    '<no>* you [must|probably] (have|want|have got) the wrong (<her>|<title> _)',
    '<no>* <her> (<her>)* [has] [sadly] (died|passed away|passed on|is (dead|deceased|no longer with us)) [_] [_] [ago]',
  );
}

/**
 * The words left after phrases such as "this is her husband", "she's not here" and "I'm not Ada" are removed. Null if
 * there are no such phrases.
 * @param called the name of the callee, if known
 */
export function besideOtherPeople(words: readonly string[], called: string | null = null): string[] | null {
  const said = spoken(words);
  const ways = [SOMEBODY_ELSE, denyingToBe(called), DENYING_SOME_NAME];
  if (!ways.some((way) => isSaid(way, said))) return null;
  return ways
    .reduce((rest, way) => rest.replace(way, ''), said)
    .split(' ')
    .filter((word) => word !== '');
}

/** Words that surround a speaker's own name. */
const AROUND_A_NAME = new Set(
  wordsOf(
    'hello hi yes this is it i am that you are talking speaking to with here mr mrs ms miss doctor my name the one',
  ),
);
const NAMES_SELF = says(
  '(this|it|that) is',
  'i am',
  'my name is',
  'you are (talking|speaking)',
  '(here|speaking) $',
);

/** True if an answer only gives the name that was asked for: "Ada speaking", to "Am I talking to Ada Lovelace?". */
export function isSelfNamed(words: readonly string[], asked: string | null): boolean {
  const question = (asked ?? '').split(/(?<=[.!?]) +/).findLast((sentence) => sentence.includes('?')) ?? '';
  const names = new Set(wordsOf(question).filter((word) => !AROUND_A_NAME.has(word)));
  return (
    isSaid(NAMES_SELF, spoken(words)) &&
    words.some((word) => names.has(word)) &&
    words.every((word) => names.has(word) || AROUND_A_NAME.has(word))
  );
}

/** True if the question asks who is on the line. */
export function asksWho(asked: string | null): boolean {
  return isSaid(ASKS_WHO, spoken(wordsOf(asked ?? '')));
}
