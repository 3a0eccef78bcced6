import { KNOWN_VARIABLES } from './known-variables.js';

/*
 * Variables in an agent's texts, such as `{{name}}`: finding them in a text, and filling them in. Used for prompts,
 * playbooks, messages, and the checks of an agent's settings.
 */

/**
 * Longest value in a text, in characters: two minutes of speech. A value is cut before it is inserted, so neither
 * customer data nor a variable that a playbook doubles can produce a text that delays other calls.
 */
const LONGEST_VALUE_CHARACTERS = 2_000;
/** Most characters that values add to one text: a spoken text with its values stays below 8,000. */
const MOST_CHARACTERS_PER_TEXT = 6_000;
/** Most characters that values add to all texts of one turn: over a quarter of an hour of speech. */
const MOST_CHARACTERS_PER_TURN = 16_000;
/** Characters before a missing value that are inspected, to remove words that need the value. */
const INSPECTED_CHARACTERS = 120;

/** Values by name. */
export type Variables = Readonly<Record<string, string>>;

/**
 * The characters that values may still add to the texts of one turn. A turn has a limit of its own, because a playbook
 * may say the texts of a hundred steps in it.
 */
export class ValueAllowance {
  #left = MOST_CHARACTERS_PER_TURN;

  get left(): number {
    return this.#left;
  }

  spend(characters: number): void {
    this.#left -= characters;
  }
}

/** A variable in a text: `{{name}}`, or with default words for a missing value: `{{name|there}}`. */
const PLACEHOLDER = /\{\{\s*([a-zA-Z][a-zA-Z0-9_]{0,63})\s*(?:\|([^{}]*))?\}\}/g;

/** Names that the service fills itself, so that customers need not supply them. */
export const OWN_VARIABLES = new Set<string>([...KNOWN_VARIABLES, 'initial_message']);

/** Variables that hold the name of the person on the line. */
const PERSON_NAME = /^(?:first_|last_|full_|customer_|caller_|callee_|contact_|patient_)?name$/;
const UNNAMED_PERSON = 'the person we are trying to reach';

/** Prepositions that need the value after them. */
const PREPOSITION = 'about|at|by|for|from|in|of|on|regarding|to|until|with';
/** Words that are removed with a missing value at the end of a clause: "your visit on the {{day}}." */
const DANGLING = new RegExp(`(?:\\s+(?:${PREPOSITION}|a|an|the|my|our|your|and|or))+$`, 'i');
/** The word that is removed with a missing value in mid-clause: "your visit on {{day}} with Ann" */
const DANGLING_PREPOSITION = new RegExp(`\\s+(?:${PREPOSITION})$`, 'i');
/** Text before a form of address: nothing, a punctuation mark, or a word such as "hello" or "thanks". */
const BEFORE_ADDRESS =
  /(?:^|[.!?,;:])\s*$|\b(?:hello|hi|hey|dear|morning|afternoon|evening|day|welcome|thanks|you|bye|goodbye|sorry|okay|well)\s*$/i;

/** Text after a value that ends its sentence or clause. */
const ENDS_CLAUSE = /^\s*(?:[.,;:!?]|$)/;

/** The names of the variables in some texts, in order of appearance, without those that the service fills. */
export function variablesOf(texts: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    for (const match of text.matchAll(PLACEHOLDER)) names.add(match[1]!);
  }
  return [...names].filter((name) => !OWN_VARIABLES.has(name));
}

/** The names of the variables in a text that have no default words. */
export function variablesWithoutDefault(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].filter((match) => match[2] === undefined).map((match) => match[1]!);
}

/**
 * The names of the variables without which a text would sound wrong. All others have default words, are filled by the
 * service, name a person, or are a form of address, which {@link fillVariables} can remove.
 */
export function requiredVariables(text: string): string[] {
  const needed = [...text.matchAll(PLACEHOLDER)].filter(({ 0: whole, 1: name, 2: words, index }) => {
    if (words?.trim() || PERSON_NAME.test(name!) || OWN_VARIABLES.has(name!)) return false;
    return !isFormOfAddress(text.slice(0, index), text.slice(index + whole.length));
  });
  return [...new Set(needed.map((match) => match[1]!))];
}

/** True if a text has double braces that form no variable, such as `{{name}` or `{{first name}}`. */
export function hasBrokenVariable(text: string): boolean {
  return /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''));
}

/** A variable written with single braces, such as `{name}`; null if there is none. */
export function singleBracesIn(text: string): string | null {
  return /\{[a-zA-Z][a-zA-Z0-9_ ]*\}/.exec(text.replace(PLACEHOLDER, ''))?.[0] ?? null;
}

/** A value cut to the longest length in a text. */
export function cutValue(value: string): string {
  return value.length <= LONGEST_VALUE_CHARACTERS ? value : cut(value, LONGEST_VALUE_CHARACTERS);
}

/**
 * Fills the variables of a text. A missing one is replaced by its default words (`{{name|there}}`) or removed cleanly:
 * "Hello {{name}}, this is" becomes "Hello, this is". Only a person's name that is no form of address is replaced by
 * {@link UNNAMED_PERSON}. Values are cut to a length, put on one line, and never filled themselves.
 * @param sources where values are looked up, in this order
 * @param allowance limit of the characters that values add, shared by the texts of one turn
 */
export function fillVariables(
  text: string,
  sources: readonly Variables[],
  allowance = new ValueAllowance(),
): string {
  let filled = '';
  let end = 0;
  let left = MOST_CHARACTERS_PER_TEXT;
  for (const match of text.matchAll(PLACEHOLDER)) {
    filled += text.slice(end, match.index);
    end = match.index + match[0].length;
    const value = valueOf(sources, match[1]!, Math.min(left, allowance.left));
    left -= value.length;
    allowance.spend(value.length);
    const words = value || match[2]?.trim();
    if (words) filled += words;
    else filled = removePlaceholder(filled, match[1]!, text.slice(end));
  }
  return tidy(filled + text.slice(end));
}

/** The value of a name on one line, no longer than `longest`; empty if there is none. */
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

/** True if a value between these texts is a form of address, as in "Hello {{name}}, this is". */
function isFormOfAddress(before: string, after: string): boolean {
  return ENDS_CLAUSE.test(after) && BEFORE_ADDRESS.test(before.slice(-INSPECTED_CHARACTERS));
}

/**
 * The text before a missing value, changed so that the text `after` the value follows well: `Your visit on ` before a
 * full stop becomes `Your visit`.
 */
function removePlaceholder(text: string, name: string, after: string): string {
  const endsClause = ENDS_CLAUSE.test(after);
  const [earlier, before] = [text.slice(0, -INSPECTED_CHARACTERS), text.slice(-INSPECTED_CHARACTERS)];
  if (isFormOfAddress(before, after)) return earlier + before.trimEnd();
  if (PERSON_NAME.test(name)) return text + UNNAMED_PERSON;
  const trimmed = before.trimEnd();
  return (
    earlier + (endsClause ? trimmed.replace(DANGLING, '') : `${trimmed.replace(DANGLING_PREPOSITION, '')} `)
  );
}

/** Corrects spaces and punctuation marks around removed values. */
function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/,(?=[.!?])/g, '')
    .replace(/^[\s.,;:!?]+/, '')
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
    .trim();
}
