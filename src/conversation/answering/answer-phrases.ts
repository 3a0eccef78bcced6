import type { Language } from '#language/languages/language.js';
import { plainText } from '#language/languages/plain-text.js';
import { matches, type Phrasing } from '#language/phrasing.js';

/**
 * What the first words on an answered phone indicate: an answering machine; a person or a machine that says the callee
 * is not there (`absent`); a call-screening service, which asks for the caller's name; or a person.
 */
export type AnswerKind = 'machine' | 'absent' | 'screening' | 'person';

/** Classifies the words of an answered phone by the phrases of `language`. For {@link AnsweringMachineDetector}. */
export function classifyAnswer(text: string, language: Language): AnswerKind {
  const phrases = language.phrasings('machines');
  const said = plainText(text);
  const says = (phrase: Phrasing | null) => phrase !== null && matches(phrase, said);
  if (says(phrases.screening)) return 'screening';
  const namesMachine = says(phrases.machine) || says(phrases.mailbox);
  // A phrase about machines counts unless the words around it are a person's (`talk`) and not a machine's (`itself`).
  if (namesMachine && (says(phrases.itself) || !says(phrases.talk))) return 'machine';
  return says(phrases.absent) ? 'absent' : 'person';
}

/**
 * True if a machine says that it takes no message, for example because its mailbox is full. {@link AnsweringParty} then
 * hangs up.
 */
export function takesNoMessage(text: string, language: Language): boolean {
  const { full } = language.phrasings('machines');
  return full !== null && matches(full, plainText(text));
}
