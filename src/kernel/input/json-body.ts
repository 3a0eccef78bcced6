import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { flawsOf, isTooDeep, mayHaveFlaws, TOO_DEEP, type Flaw } from './json-scan.js';

/** A validation issue in a form that can be cloned to another thread. */
export type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue;

/** The reason why a body is refused: issues of its fields, or an error of the whole body. */
export type Refused =
  | { kind: 'invalid'; issues: Issue[] }
  | { kind: 'unreadable'; code: 'invalid_json' | 'validation_error'; message: string };

/**
 * Parses a large JSON body of a request, off the main thread, and refuses a body that could not be stored and returned
 * unchanged. Used for batches and imports of suppressions; the server parses small bodies itself (`bodies.ts`).
 */
export function readJsonBody(bytes: Uint8Array): { kind: 'json'; json: unknown } | Refused {
  if (!isUtf8(bytes)) return { kind: 'unreadable', code: 'validation_error', message: 'is not UTF-8' };
  const text = new TextDecoder().decode(bytes);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'unreadable', code: 'invalid_json', message: 'The body is not valid JSON.' };
  }
  if (isTooDeep(json)) return { kind: 'unreadable', code: 'validation_error', message: TOO_DEEP };
  const flaws = mayHaveFlaws(text) ? flawsOf(json, text) : [];
  return flaws.length > 0 ? { kind: 'invalid', issues: flaws.map(flawIssue) } : { kind: 'json', json };
}

function flawIssue({ path, code, message }: Flaw): Issue {
  return { code: 'custom', path, message, params: { code }, input: undefined };
}
