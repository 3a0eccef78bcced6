import type { z } from 'zod';

// Turns zod's validation issues into the texts of the API's errors.

type Issue = z.core.$ZodIssue;

/** The names that JSON has for types, by zod's names. */
const TYPE_NAMES: Readonly<Record<string, string>> = { record: 'object', int: 'integer' };

/** zod's message for a discriminator that matches no member of a union. */
const DISCRIMINATOR = /^Invalid discriminator value\. Expected (.+)$/;

/** Names of fields come from the request, and are cut in the answer. */
const MAX_FIELD_CHARACTERS = 200;

/** The path of a field as text: `to_number[1].phone_number`, `query.limit`, or `body` for the whole body. */
export function fieldOf(path: readonly PropertyKey[], prefix = ''): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return `${prefix}${steps.join('')}`.replace(/^\./, '').slice(0, MAX_FIELD_CHARACTERS) || 'body';
}

/** The message of an issue, which continues after the field's name: `must have at most 200 characters`. */
export function messageOf(issue: Issue): string {
  if (isMissing(issue)) return 'is required';
  if (issue.code === 'invalid_type') return `must be of type ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values)}`;
  if (issue.code === 'not_multiple_of')
    return issue.divisor === 1 ? 'must be a whole number' : `must be a multiple of ${issue.divisor}`;
  if (issue.code === 'too_small') return `must ${sizeOf(issue.origin, 'at least', issue.minimum)}`;
  if (issue.code === 'too_big') return `must ${sizeOf(issue.origin, 'at most', issue.maximum)}`;
  // An invalid key of a record: the nested issue says what is wrong with it.
  if (issue.code === 'invalid_key' && issue.issues[0]) return messageOf(issue.issues[0]);
  const kinds = DISCRIMINATOR.exec(issue.message)?.[1];
  if (kinds !== undefined)
    return `must be ${oneOf(kinds.split(' | ').map((kind) => kind.replace(/'/g, '')))}`;
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
}

/** Alternatives in a sentence: "read, write or admin". */
export function oneOf(values: readonly unknown[]): string {
  const names = values.map(String);
  const last = names.pop();
  return names.length === 0 ? `${last}` : `${names.join(', ')} or ${last}`;
}

/** "be at least 1", "have at most 200 characters". */
function sizeOf(origin: string, bound: string, size: number | bigint): string {
  const [character, item] = Number(size) === 1 ? ['character', 'item'] : ['characters', 'items'];
  if (origin === 'string') return `have ${bound} ${size} ${character}`;
  if (origin === 'array' || origin === 'set') return `have ${bound} ${size} ${item}`;
  return `be ${bound} ${size}`;
}

/** True for the issue of a field that is absent; only zod's message shows that. */
export function isMissing(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}
