import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readValue, type ReadContext } from '#playbook/values/value.js';
import { wordsOf } from '#language/words.js';

/** Words that make any value after them a correction: "no, I said", "I meant", "make that". */
const PLAIN_LEAD =
  /^(?:(?:no|nope|sorry|wait|actually|oh|well|hold on) )*(?:i (?:said|meant|mean|told you)|it should be|that should be|(?:make|change) (?:it|that)(?: to)?)(?: that| it is)? /;
/** A mere "no" before a value, which is less certain. */
const SHORT_LEAD = /^(?:(?:no|nope|sorry|wait|actually) )+(?:(?:it|that) is )?/;
/** The right value next to the wrong one: "not Monday, Tuesday". */
const CONTRAST = /(?:^| )(?:not|instead of|rather than) /;
/** After a mere "no", more words than this are about another subject; a phone number may be longer. */
const LONGEST_SHORT_CORRECTION_WORDS = 6;
/** Kinds of values that do not occur by accident after "no": "no problem" is no name, "no one" no number. */
const SURE_KINDS: ReadonlySet<PlaybookExpectation['kind']> = new Set([
  'date',
  'time',
  'phone_number',
  'choice',
]);

/**
 * Reads the correction of an earlier answer, in English: "no, I said Tuesday". Null if the words are no correction.
 * @param earlier what the corrected question expects
 * @returns the new value in the form of the API; `isPlain` if the words leave no doubt that they correct ("I meant")
 */
export function readCorrection(
  text: string,
  earlier: PlaybookExpectation,
  readContext: ReadContext,
): { value: string; isPlain: boolean } | null {
  if (earlier.kind === 'anything') return null;
  const said = wordsOf(text).join(' ');
  const isPlain = PLAIN_LEAD.test(said);
  // Without such words, and without a contrast, it is no correction.
  const rest = said.replace(isPlain ? PLAIN_LEAD : SHORT_LEAD, '');
  if (rest === said && !CONTRAST.test(said)) return null;
  const isShort = rest.split(' ').length <= LONGEST_SHORT_CORRECTION_WORDS || earlier.kind === 'phone_number';
  if (!isPlain && !(SURE_KINDS.has(earlier.kind) && isShort)) return null;
  const value = readValue(rest, earlier, readContext);
  return value === null || value === NOT_POSSIBLE ? null : { value, isPlain };
}
