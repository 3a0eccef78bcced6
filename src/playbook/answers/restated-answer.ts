import { matches, phrasingCompiler, toMatchText } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';

/** Irregular verbs; each group lists the forms of one verb, the infinitive first. ("read" has only one form.) */
const VERBS = (
  'pay paid, take took taken, get got gotten, eat ate eaten, send sent, see saw seen, do did done, make made, ' +
  'find found, buy bought, hear heard, speak spoke spoken, bring brought, read, drink drank drunk, have had, ' +
  'give gave given, meet met, write wrote written, tell told, sleep slept, leave left, choose chose chosen'
)
  .split(', ')
  .map((forms) => forms.split(' '));
/** A question about a deed, and its verb: "have you already paid …?" */
const ASKS_ABOUT_THE_PAST =
  /(?:^| )(?:have|had|did) (?:you|he|she|they|somebody|someone|anyone|anybody) (?:(?:already|ever|just|also|yet|perhaps|all) )*([^ ]+)/;

/** Compiles patterns with these classes of words; `language/phrasing.ts` explains the notation. */
const compile = phrasingCompiler({
  well: 'yes|yeah|oh|well|sure|so|and|no|sorry|of course',
  done: 'have|had|already|just|did|certainly|definitely|completely|totally|must|clean|simply',
  it: 'it|them|that|this|everything|all|both',
});
/** "I have already" in "I have already paid": all words before the verb. */
const I_DID = compile('^<well>* (i|we) <done>* &(_)');
/**
 * What may follow the verb: its object ("it"), and then nothing, or the first word of a time or a manner ("last week",
 * "at eight", "by card", "two weeks ago").
 */
const AFTER_THE_VERB = compile(
  '^[<it>] [all] [of <it>] ($|(already|yesterday|today|tonight|online|myself|ourselves|thanks|thank|last|this|in|on|at|by|with|when|before|' +
    'after|earlier|ages|long|just|right|over|through|twice|once|weeks|days)|(a|an|one|two|three|four|five|six|few|#) [_] [_] ago)',
);
/** Adjectives of praise that may stand in a question and in its answer. */
const PRAISE = new Set(['happy', 'satisfied', 'pleased', 'comfortable', 'easy', 'helpful', 'friendly']);
/** An answer that consists of an adjective of praise: "yes, I'm very happy with it". */
const PRAISED = compile(
  `^<well>* [(i|we|it|they|he|she|everything)] [(am|are|was|were|is)] (very|really|quite|extremely|so|totally|completely|most)* ` +
    `(${[...PRAISE].join('|')}) (indeed|thanks|thank you|with (it|them|that|everything))* $`,
);
/** Answers that the deed was forgotten, which means no: "I completely forgot". */
const FORGOTTEN = compile(
  '^<well>* (i|we) <done>* (forgot|forgotten) [[all] about] [<it>] [to] (completely|again|sorry|this time)* $',
);

/**
 * Reads an answer that only makes sense with the question. An answer that repeats the verb or the praise of the
 * question is a yes: "I paid it last week" to "Have you paid?", "very happy" to "Were you happy?". "I forgot to", in
 * answer to a question about a deed, is a no. Null for other answers. `readYesNo` uses this function when its own rules
 * find neither yes nor no.
 * @param words the words of the answer, as `wordsOf` returns them
 * @param asked the text of the question; null if unknown
 */
export function readRestated(words: readonly string[], asked: string | null): 'yes' | 'no' | null {
  if (repeatsPraise(words, asked)) return 'yes';
  const verb = ASKS_ABOUT_THE_PAST.exec(wordsOf(asked ?? '').join(' '))?.[1];
  if (verb === undefined) return null;
  const said = toMatchText(words);
  if (matches(FORGOTTEN, said)) return 'no';
  const lead = said.match(I_DID)?.[0];
  if (lead === undefined) return null;
  const [saidVerb = '', ...rest] = said.slice(lead.length).trimEnd().split(' ');
  const behind = toMatchText(rest.filter((word) => word !== ''));
  const isDone = pastForms(verb).has(saidVerb) && matches(AFTER_THE_VERB, behind);
  return isDone ? 'yes' : null;
}

/** True if the answer repeats praise of the question: "very happy" to "Were you happy?". */
function repeatsPraise(words: readonly string[], asked: string | null): boolean {
  const praise = words.find((word) => PRAISE.has(word));
  return (
    praise !== undefined && wordsOf(asked ?? '').includes(praise) && matches(PRAISED, toMatchText(words))
  );
}

/**
 * The past forms of a verb. An irregular verb is found by any of its forms: "paid" for "pay". A regular verb gets every
 * spelling that may be right, because no list says which is: "tryed", "tryd" and "tried" for "try".
 */
function pastForms(verb: string): ReadonlySet<string> {
  const forms = VERBS.find((verbForms) => verbForms.includes(verb));
  if (forms) return new Set(forms.length > 1 ? forms.slice(1) : forms);
  return new Set(verb.endsWith('ed') ? [verb] : [`${verb}ed`, `${verb}d`, `${verb.slice(0, -1)}ied`]);
}
