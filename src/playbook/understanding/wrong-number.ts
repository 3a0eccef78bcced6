import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';

/** A question whose answer is a number, and whether that has been read back. */
export interface NumberAsked {
  kind: PlaybookExpectation['kind'];
  isSaidBack: boolean;
}

/** Wrong numbers outside of this call: "I gave you the wrong number". */
const DONE =
  /(?:^| )(?:gave|given|give|told|left|leave|leaving|wrote|written|put|typed|entered|saved|noted|sent|send|went|go|came|delivered|brought|posted|mailed|took|quoted|used|tried|paid|charged|spoke|talked|texted|emailed|copied|read|was|were|been|had)(?: (?!but |so |and )[^ ]+){0,5} (?:the|a|with|to|down)$/;
/** "Somebody gave you the wrong number": this call is the mistake. */
const GIVEN_TO_US =
  /(?:^| )(?:they|he|she|somebody|someone|(?:my|her|his|their|the) [^ ]+) (?:have |has |must have |may have )?(?:gave|given|give|told|left) you (?:the|a)$/;
/** Other people's calls and past calls: "my son called the wrong number". */
const CALLED_BY_OTHERS =
  /(?:^| )(?:he|she|they|somebody|someone|my [^ ]+)(?: (?:has|have|always|must|just|keeps?|kept|probably))* (?:called|calls?|calling|dialled|dialed|dials?|rang|rings?|phoned)(?: [^ ]+)? (?:the|a)$/;
const CALLED_BY_ME =
  /(?:^| )(?:i|we)(?: (?:just|must|have|may|might|probably|think))* (?:called|dialled|dialed|rang|phoned|call|dial|ring|phone)(?: [^ ]+)? (?:the|a)$/;
/** What the number is wrong for: something of the caller's own, or a record. */
const BEHIND =
  /^(?:for (?:my|our)|(?:on|in) (?:my|our|your|the|file|record|there)|(?:it|that) (?:is|should be|has to be)|(?:the|my) (?:right|correct)|my number is)(?: |$)/;
const OVER =
  /^(?:this morning|yesterday|earlier|last|before|again|the other|once|twice|first|on|when|and|but)\b/;
const OF_THE_ANSWER = /(?:^| )(?:that|it|this) is(?: the| a)?$/;

/**
 * True if "wrong number" is about this call, unlike "I gave you the wrong number" and "that is the wrong number for
 * my account".
 */
export function isOfThisCall(
  words: readonly string[],
  { start, end }: { start: number; end: number },
  asked: NumberAsked | null,
): boolean {
  if (words[start] !== 'wrong') return true;
  const before = words.slice(0, start).join(' ');
  const behind = words.slice(end).join(' ');
  if (BEHIND.test(behind)) return false;
  const isOfANumber = asked !== null && (asked.kind === 'number' || asked.kind === 'phone_number');
  if (isOfANumber && words[end - 1] === 'number' && (asked.isSaidBack || OF_THE_ANSWER.test(before)))
    return false;
  if (GIVEN_TO_US.test(before)) return true;
  if (CALLED_BY_ME.test(before) && OVER.test(behind)) return false;
  return !DONE.test(before) && !CALLED_BY_OTHERS.test(before);
}
