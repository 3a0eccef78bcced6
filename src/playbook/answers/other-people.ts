import { FIRST_NAMES, LAST_NAMES } from '#language/english-names.js';
import { isSaid, phrasings, spoken, type Phrasing } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';

/** "No, this is her husband": the no is said of that, and of nothing else. */
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

/** "This is her husband", "she's not here": whoever is on the line answers for somebody else. */
const SOMEBODY_ELSE = says(
  '<no>* (this is|it is|i am|you are (speaking|talking) (to|with)|you have [got|reached]) [actually|only|just] ' +
    '(her|his|their) <relative>',
  '<no>* (her|his|their) <relative> (speaking|here)',
  '<no>* (he|she|(my|her|his|their) <relative>) is <away>',
  '<no>* (he|she|(my|her|his|their) <relative>) [has] [sadly] <died> [(a|last|this|in|two|three|some|on) _ [ago]] [ago]',
);
/** "Let me get her", "I'll pass you over", "here she is": the phone goes to somebody else. */
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

/** Whether a caller hands the phone to somebody else. Takes the words of `wordsOf`. */
export function isHandingOver(words: readonly string[]): boolean {
  return isSaid(HANDED_OVER, spoken(words));
}

const DENYING = { no: NO, title: 'mr|mrs|ms|miss|doctor|dr' };
/** "I'm not John", "you have the wrong Smith", of names that the call need not know. Made once, as there are many. */
const DENYING_SOME_NAME = phrasings({
  ...DENYING,
  first: FIRST_NAMES.replaceAll(' ', '|'),
  last: LAST_NAMES.replaceAll(' ', '|'),
})(
  '<no>* (i am|(this|it|that) is|you are) not [actually|really] [(speaking|talking) (to|with)] <first> [<last>]',
  '<no>* you [must|probably] (have|want|have got) the wrong (<first>|<last>)',
);
/** The most words of the name of whoever is called; each one makes every reading longer. */
const MOST_NAMES = 12;

/** "I'm not Ada", "this isn't Mrs Lovelace", "you're not talking to her". */
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
 * What is said beside "this is her husband", "she's not here" and "I'm not Ada"; null where nothing of the kind is.
 * @param called the name of whoever is called, where it is known
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

/** Words around one's own name. */
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

/** "This is Ada", "Ada speaking", to "Am I talking to Ada Lovelace?": nothing but a name that was asked for. */
export function isSelfNamed(words: readonly string[], asked: string | null): boolean {
  const question = (asked ?? '').split(/(?<=[.!?]) +/).findLast((sentence) => sentence.includes('?')) ?? '';
  const names = new Set(wordsOf(question).filter((word) => !AROUND_A_NAME.has(word)));
  return (
    isSaid(NAMES_SELF, spoken(words)) &&
    words.some((word) => names.has(word)) &&
    words.every((word) => names.has(word) || AROUND_A_NAME.has(word))
  );
}

/** Whether a question is about who is on the line. */
export function asksWho(asked: string | null): boolean {
  return isSaid(ASKS_WHO, spoken(wordsOf(asked ?? '')));
}
