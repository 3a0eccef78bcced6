import { KNOWN_VARIABLES } from './known-variables.js';

/**
 * The longest value that a text takes, in characters: two minutes of speech. A value is cut before it is put into a
 * text, so neither customer data nor a variable that a playbook doubles can make a text that holds up other calls.
 */
const LONGEST_VALUE = 2_000;
/** The most that the values of one text add to it, in characters: a spoken text and its values stay below 8,000. */
const VALUES_OF_A_TEXT = 6_000;
/** The most that values add to all texts of one turn, in characters: over a quarter of an hour of speech. */
const VALUES_OF_A_TURN = 16_000;
/** How far back the words before a missing value are looked at, in characters. */
const LOOK_BACK = 120;

/** Values by name. */
export type Variables = Readonly<Record<string, string>>;

/** What the values of one turn may still add to its texts; a playbook may pass a hundred steps in a turn. */
export class ValueAllowance {
  #left = VALUES_OF_A_TURN;

  get left(): number {
    return this.#left;
  }

  spend(characters: number): void {
    this.#left -= characters;
  }
}

/** `{{name}}`, or `{{name|words to say when it is not known}}`. */
const PLACEHOLDER = /\{\{\s*([a-zA-Z][a-zA-Z0-9_]{0,63})\s*(?:\|([^{}]*))?\}\}/g;

/** Names that the service fills itself, so nobody has to supply them. */
export const OWN_VARIABLES = new Set<string>([...KNOWN_VARIABLES, 'initial_message']);

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

/** What follows on a value that ends its sentence, or a part of it. */
const CLOSES = /^\s*(?:[.,;:!?]|$)/;

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

/**
 * The variables that a text cannot do without: where one of them is missing, the text is spoken with a hole in it.
 * Others have words of their own for that, or stand where {@link fillVariables} leaves no trace of them.
 */
export function neededBy(text: string): string[] {
  const needed = [...text.matchAll(PLACEHOLDER)].filter(({ 0: whole, 1: name, 2: words, index }) => {
    if (words?.trim() || PERSON.test(name!) || OWN_VARIABLES.has(name!)) return false;
    return !isCalledOut(text.slice(0, index), text.slice(index + whole.length));
  });
  return [...new Set(needed.map((match) => match[1]!))];
}

/** Whether braces are left that make no variable, such as `{{name}` or `{{first name}}`. */
export function hasBrokenVariable(text: string): boolean {
  return /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''));
}

/** What looks like a variable but has single braces, such as `{name}`; null where there is nothing of the kind. */
export function singleBraces(text: string): string | null {
  return /\{[a-zA-Z][a-zA-Z0-9_ ]*\}/.exec(text.replace(PLACEHOLDER, ''))?.[0] ?? null;
}

/** A value as texts take it: of one that is too long, the beginning. */
export function cutValue(value: string): string {
  return value.length <= LONGEST_VALUE ? value : cut(value, LONGEST_VALUE);
}

/**
 * Fills the variables of a text. A missing one takes its own words (`{{name|there}}`) or leaves the sentence without
 * a scar: "Hello {{name}}, this is" becomes "Hello, this is". Values are taken as they are, up to a length, and never
 * filled again.
 * @param sources where values are looked up, in this order
 * @param allowance shared by the texts of one turn
 */
export function fillVariables(
  text: string,
  sources: readonly Variables[],
  allowance = new ValueAllowance(),
): string {
  let filled = '';
  let end = 0;
  let left = VALUES_OF_A_TEXT;
  for (const match of text.matchAll(PLACEHOLDER)) {
    filled += text.slice(end, match.index);
    end = match.index + match[0].length;
    const value = valueOf(sources, match[1]!, Math.min(left, allowance.left));
    left -= value.length;
    allowance.spend(value.length);
    const words = value || match[2]?.trim();
    if (words) filled += words;
    else filled = leaveOut(filled, match[1]!, text.slice(end));
  }
  return tidy(filled + text.slice(end));
}

/** The value of a name on one line, no longer than `longest`; empty where there is none. */
function valueOf(sources: readonly Variables[], name: string, longest: number): string {
  if (longest <= 0) return '';
  const source = sources.find((variables) => Object.hasOwn(variables, name));
  const spoken = cutValue(source?.[name] ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return cut(spoken, longest).trimEnd();
}

/** The first characters of a text; an emoji is not cut in two. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** Whether what stands between two texts calls out to somebody, and can be left out: "Hello {{name}}, this is". */
function isCalledOut(before: string, after: string): boolean {
  return CLOSES.test(after) && BEFORE_A_CALL.test(before.slice(-LOOK_BACK));
}

/** The text before a missing value, changed so that the text after it still follows. */
function leaveOut(text: string, name: string, after: string): string {
  const closes = CLOSES.test(after);
  const [earlier, before] = [text.slice(0, -LOOK_BACK), text.slice(-LOOK_BACK)];
  if (isCalledOut(before, after)) return earlier + before.trimEnd();
  if (PERSON.test(name)) return text + SOMEBODY;
  const trimmed = before.trimEnd();
  return earlier + (closes ? trimmed.replace(DANGLING, '') : `${trimmed.replace(DANGLING_PREPOSITION, '')} `);
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
