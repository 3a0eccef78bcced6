import type { Language } from '#language/languages/language.js';
import { plainText } from '#language/languages/plain-text.js';
import { matches, type Phrasing } from '#language/phrasing.js';

/** What the words of an answered phone indicate. */
export type AnswerKind = 'machine' | 'absent' | 'screening' | 'person';

export function answerKindOf(text: string, language: Language): AnswerKind {
  const ways = language.ways('machines');
  const said = plainText(text);
  const says = (way: Phrasing | null) => way !== null && matches(way, said);
  if (says(ways.screening)) return 'screening';
  const isOfMachines = says(ways.machine) || says(ways.mailbox);
  if (isOfMachines && (says(ways.itself) || !says(ways.talk))) return 'machine';
  return says(ways.absent) ? 'absent' : 'person';
}

/** True if a machine says that it takes no message. */
export function takesNoMessage(text: string, language: Language): boolean {
  const { full } = language.ways('machines');
  return full !== null && matches(full, plainText(text));
}
