import { isSaid, phrasings, spoken } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';

/** Irregular verbs, each with all its forms. */
const VERBS = (
  'pay paid, take took taken, get got gotten, eat ate eaten, send sent, see saw seen, do did done, make made, ' +
  'find found, buy bought, hear heard, speak spoke spoken, bring brought, read, drink drank drunk, have had, ' +
  'give gave given, meet met, write wrote written, tell told, sleep slept, leave left, choose chose chosen'
)
  .split(', ')
  .map((forms) => forms.split(' '));
/** "Have you already paid …?" */
const ASKS_OF_THE_PAST =
  /(?:^| )(?:have|had|did) (?:you|he|she|they|somebody|someone|anyone|anybody) (?:(?:already|ever|just|also|yet|perhaps|all) )*([^ ]+)/;

const says = phrasings({
  well: 'yes|yeah|oh|well|sure|so|and|no|sorry|of course',
  done: 'have|had|already|just|did|certainly|definitely|completely|tocounts|must|clean|simply',
  it: 'it|them|that|this|everything|all|both',
});
/** The beginning of "I have already paid", up to the verb. */
const I_DID = says('^<well>* (i|we) <done>* &(_)');
/** What may follow the verb: its object, or when or how it was done ("last week", "at eight", "by card"). */
const BEHIND_A_DEED = says(
  '^[<it>] [all] [of <it>] ($|(already|yesterday|today|tonight|online|myself|ourselves|thanks|thank|last|this|in|on|at|by|with|when|before|' +
    'after|earlier|ages|long|just|right|over|through|twice|once|weeks|days)|(a|an|one|two|three|four|five|six|few|#) [_] [_] ago)',
);
/** Words that restrict a statement to a part, or make it uncertain. */
const RESERVED = says(
  '(half|part|partly|some|most|mostly|only|almost|nearly|but|except|wrong|not|never|no|think|maybe|or|unless|if|instead)',
);
const PRAISE = new Set(['happy', 'satisfied', 'pleased', 'comfortable', 'easy', 'helpful', 'friendly']);
const PRAISED = says(
  `^<well>* [(i|we|it|they|he|she|everything)] [(am|are|was|were|is)] (very|really|quite|extremely|so|tocounts|completely|most)* ` +
    `(${[...PRAISE].join('|')}) (indeed|thanks|thank you|with (it|them|that|everything))* $`,
);
const FORGOTTEN = says(
  '^<well>* (i|we) <done>* (forgot|forgotten) [[all] about] [<it>] [to] (completely|again|sorry|this time)* $',
);

/**
 * Reads an answer that repeats words of the question: "I paid it last week" to "Have you paid?" is a yes, "I forgot"
 * a no. Null if the answer does neither. Expects the words of `wordsOf`.
 */
export function readRestated(words: readonly string[], asked: string | null): 'yes' | 'no' | null {
  if (isSharedPraise(words, asked)) return 'yes';
  const verb = ASKS_OF_THE_PAST.exec(wordsOf(asked ?? '').join(' '))?.[1];
  if (verb === undefined) return null;
  const said = spoken(words);
  if (isSaid(FORGOTTEN, said)) return 'no';
  const lead = said.match(I_DID)?.[0];
  if (lead === undefined) return null;
  const [deed = '', ...rest] = said.slice(lead.length).trimEnd().split(' ');
  const behind = spoken(rest.filter((word) => word !== ''));
  const isDone = pastOf(verb).has(deed) && isSaid(BEHIND_A_DEED, behind) && !isSaid(RESERVED, behind);
  return isDone ? 'yes' : null;
}

/** "Very happy" answers "Were you happy?" with yes. */
function isSharedPraise(words: readonly string[], asked: string | null): boolean {
  const praise = words.find((word) => PRAISE.has(word));
  return praise !== undefined && wordsOf(asked ?? '').includes(praise) && isSaid(PRAISED, spoken(words));
}

/** The forms of a verb that say that the deed was done: "paid" for "pay" and "paid", "received" for "receive". */
function pastOf(verb: string): ReadonlySet<string> {
  const forms = VERBS.find((one) => one.includes(verb));
  if (forms) return new Set(forms.length > 1 ? forms.slice(1) : forms);
  return new Set(verb.endsWith('ed') ? [verb] : [`${verb}ed`, `${verb}d`, `${verb.slice(0, -1)}ied`]);
}
