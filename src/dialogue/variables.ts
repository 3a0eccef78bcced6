/** `{{name}}`, or `{{name|words to say when it is not known}}`. */
const PLACEHOLDER = /\{\{\s*([a-zA-Z][a-zA-Z0-9_]{0,63})\s*(?:\|([^{}]*))?\}\}/g;

/** Names that the service fills itself, so nobody has to supply them. */
export const OWN_VARIABLES = new Set(['agent_name', 'initial_message']);

/** Variables that stand for the person on the line. */
const PERSON = /^(?:first_|last_|full_|customer_|caller_|callee_|contact_|patient_)?name$/;
const SOMEBODY = 'the person we are trying to reach';

/** Words that cannot stand before nothing: they go with the value that is missing. */
const PREPOSITION = 'about|at|by|for|from|in|of|on|regarding|to|until|with';
const DANGLING = new RegExp(`(?:\\s+(?:${PREPOSITION}|a|an|the|my|our|your|and|or))+$`, 'i');
const DANGLING_PREPOSITION = new RegExp(`\\s+(?:${PREPOSITION})$`, 'i');
/** What may stand before a name that is called out: nothing, a comma, or a greeting. */
const BEFORE_A_CALL =
  /(?:^|[.!?,;:])\s*$|\b(?:hello|hi|hey|dear|morning|afternoon|evening|day|welcome|thanks|you|bye|goodbye|sorry|okay|well)\s*$/i;

/** The names of the variables in some texts, in order of appearance, without those that the service fills. */
export function variablesOf(texts: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    for (const match of text.matchAll(PLACEHOLDER)) names.add(match[1]!);
  }
  return [...names].filter((name) => !OWN_VARIABLES.has(name));
}

/** The names of the variables in a text that have no words of their own for when they are missing. */
export function variablesWithoutWords(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].filter((match) => match[2] === undefined).map((match) => match[1]!);
}

/** Whether braces are left that make no variable, such as `{{name}` or `{{first name}}`. */
export function hasBrokenVariable(text: string): boolean {
  return /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''));
}

/** What looks like a variable but has single braces, such as `{name}`; null where there is nothing of the kind. */
export function singleBraces(text: string): string | null {
  return /\{[a-zA-Z][a-zA-Z0-9_ ]*\}/.exec(text.replace(PLACEHOLDER, ''))?.[0] ?? null;
}

/**
 * Fills the variables of a text. A missing one takes its own words (`{{name|there}}`) or leaves the sentence without
 * a scar: "Hello {{name}}, this is" becomes "Hello, this is". Values are taken as they are and never filled again.
 */
export function fillVariables(text: string, variables: Readonly<Record<string, string>>): string {
  let filled = '';
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    filled += text.slice(end, match.index);
    end = match.index + match[0].length;
    const value = valueOf(variables, match[1]!) ?? match[2]?.trim();
    if (value) filled += value;
    else filled = leaveOut(filled, match[1]!, text.slice(end));
  }
  return tidy(filled + text.slice(end));
}

function valueOf(variables: Readonly<Record<string, string>>, name: string): string | undefined {
  if (!Object.hasOwn(variables, name)) return undefined;
  const spoken = (variables[name] ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return spoken || undefined;
}

/** The text before a missing value, changed so that the text after it still follows. */
function leaveOut(before: string, name: string, after: string): string {
  const closes = /^\s*(?:[.,;:!?]|$)/.test(after);
  if (closes && BEFORE_A_CALL.test(before)) return before.trimEnd();
  if (PERSON.test(name)) return before + SOMEBODY;
  const trimmed = before.trimEnd();
  return closes ? trimmed.replace(DANGLING, '') : `${trimmed.replace(DANGLING_PREPOSITION, '')} `;
}

function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/,(?=[.!?])/g, '')
    .replace(/^[\s.,;:!?]+/, '')
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
    .trim();
}
