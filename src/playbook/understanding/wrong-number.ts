import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';

/** The open question, as far as it decides what "wrong number" means. */
export interface NumberAsked {
  /** The kind of answer that the question expects. */
  kind: PlaybookExpectation['kind'];
  /** True if the agent has read an answer back, and waits for its confirmation. */
  isReadBack: boolean;
}

/**
 * The words before "wrong number" or "wrong person" if it is not about this call: "I gave you the", "I was sent to
 * the". This pattern and those of the next three constants end before "wrong".
 */
const OUTSIDE_OF_THIS_CALL =
  /(?:^| )(?:gave|given|give|told|left|leave|leaving|wrote|written|put|typed|entered|saved|noted|sent|send|went|go|came|delivered|brought|posted|mailed|took|quoted|used|tried|paid|charged|spoke|talked|texted|emailed|copied|read|was|were|been|had)(?: (?!but |so |and )[^ ]+){0,5} (?:the|a|with|to|down)$/;
/** Other people who gave the number to the agent, so that this call is the mistake: "somebody gave you the …". */
const GIVEN_TO_US =
  /(?:^| )(?:they|he|she|somebody|someone|(?:my|her|his|their|the) [^ ]+) (?:have |has |must have |may have )?(?:gave|given|give|told|left) you (?:the|a)$/;
/** Calls of other people: "my son called the wrong number". */
const CALLED_BY_OTHERS =
  /(?:^| )(?:he|she|they|somebody|someone|my [^ ]+)(?: (?:has|have|always|must|just|keeps?|kept|probably))* (?:called|calls?|calling|dialled|dialed|dials?|rang|rings?|phoned)(?: [^ ]+)? (?:the|a)$/;
/** A call of the speaker, which may be this one: "I must have called the wrong number". */
const CALLED_BY_ME =
  /(?:^| )(?:i|we)(?: (?:just|must|have|may|might|probably|think))* (?:called|dialled|dialed|rang|phoned|call|dial|ring|phone)(?: [^ ]+)? (?:the|a)$/;
/** Words after "wrong number" that name what the number is wrong for: "for my account", "on your records". */
const WRONG_FOR_A_THING =
  /^(?:for (?:my|our)|(?:on|in) (?:my|our|your|the|file|record|there)|(?:it|that) (?:is|should be|has to be)|(?:the|my) (?:right|correct)|my number is)(?: |$)/;
/** Words after "wrong number" that place the call in the past. */
const IN_THE_PAST =
  /^(?:this morning|yesterday|earlier|last|before|again|the other|once|twice|first|on|when|and|but)\b/;

/**
 * True if a phrase for a wrong number or person, from `start` to before `end`, means that this call reached the wrong
 * person. False for "I gave you the wrong number" and "that is the wrong number for my account". Used by
 * `leaveRequestIn`.
 * @param asked the open question: a number that is read back may be the wrong one; null if unknown
 */
export function meansThisCall(
  words: readonly string[],
  { start, end }: { start: number; end: number },
  asked: NumberAsked | null,
): boolean {
  // Other phrases, such as "nobody here by that name", are always about this call.
  if (words[start] !== 'wrong') return true;
  const before = words.slice(0, start).join(' ');
  const behind = words.slice(end).join(' ');
  if (WRONG_FOR_A_THING.test(behind)) return false;
  const isOfANumber = asked !== null && (asked.kind === 'number' || asked.kind === 'phone_number');
  // "No, that is the wrong number": the number that was read back.
  if (isOfANumber && asked.isReadBack && words[end - 1] === 'number') return false;
  if (GIVEN_TO_US.test(before)) return true;
  if (CALLED_BY_ME.test(before) && IN_THE_PAST.test(behind)) return false;
  return !OUTSIDE_OF_THIS_CALL.test(before) && !CALLED_BY_OTHERS.test(before);
}
