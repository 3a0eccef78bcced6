/** How people speak of an appointment: that they come, that they do not, that it is called off. */

/** Of coming to an appointment people speak in many words. */
export const COMING =
  /\b(?:come|coming|came up|make it|be there|attend(?:ing)?|(?:show|turn) up|appointment|visit|cancel(?:ling)?|reschedule|postpone)\b/;
export const COMES = /\b(?:come|coming|make it|be there|attend|keep)\b/i;
/** "I can't come": of no other question than one about coming. */
export const NOT_COMING = /\bnot\b(?: \w+){0,4} (?:come|coming|make it|be there|attend)\b/;
export const CALLING_OFF =
  /(?<!\b(?:not|never)(?: \w+){0,3} )\b(?:cancel(?:ling)?|reschedule|postpone|call (?:it )?off|put (?:it )?off)\b/;
const TO_CALL_OFF =
  /\b(?:cancel|reschedule|rearrange|postpone|call (?:\w+ ){0,3}off|put (?:\w+ ){0,3}off|(?:move|change) (?:it|that|this|(?:the|your) (?:appointment|visit|date|time)))\b/i;

/** "Do you want to cancel?": who comes says no to that. Not "Will you come, or shall we cancel?" */
export function asksToCallOff(question: string): boolean {
  return TO_CALL_OFF.test(question) && !COMES.test(question);
}
