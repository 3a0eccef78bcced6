import multipart, { type Multipart } from '@fastify/multipart';
import { fieldProblem, type Problem } from '#kernel/errors/errors.js';
import { NO_NUL } from '#kernel/input/json-scan.js';
import { problemOf } from '#http/problems/problem-of.js';
import type { HttpServer } from './request.js';

/** Limits of a form, and the reader of its file. */
export interface FormRules {
  largestFileBytes: number;
  /** The most fields in addition to the file. */
  maxFields: number;
  /** Converts the bytes of the file to the value of its field. */
  readFile(bytes: Buffer): unknown;
}

/**
 * Accepts multipart forms on the routes of this scope. The fields by name become `request.body`; one of them may be a
 * file. Used for the imports of batches and suppressions.
 */
export async function acceptForms(
  scope: HttpServer,
  { largestFileBytes: fileSize, maxFields, readFile }: FormRules,
): Promise<void> {
  await scope.register(multipart, { limits: { fileSize, files: 1, fields: maxFields } });
  scope.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return;
    try {
      request.body = await fieldsOf(request.parts(), readFile);
    } catch (error) {
      throw tooManyFilesProblem(error) ?? problemOf(error) ?? unreadableFormProblem();
    }
  });
}

/** The fields of a form by name. A repeated name gives a list of values, which the validation of the route refuses. */
async function fieldsOf(
  parts: AsyncIterableIterator<Multipart>,
  readFile: FormRules['readFile'],
): Promise<Record<string, unknown>> {
  const values = new Map<string, unknown[]>();
  for await (const part of parts) {
    const value = part.type === 'file' ? await readFile(await part.toBuffer()) : part.value;
    // Only text fields are checked here: `readFile` checks the bytes of a file.
    if (typeof part.value === 'string' && part.value.includes('\0'))
      throw fieldProblem('validation_error', part.fieldname, NO_NUL, 'invalid_character');
    values.set(part.fieldname, [...(values.get(part.fieldname) ?? []), value]);
  }
  const named = [...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all] as const);
  return Object.fromEntries(named);
}

/**
 * The problem of a form with a second file; null for any other error. The parser gives its error the status of a body
 * that is too large, which would mislead.
 */
function tooManyFilesProblem(error: unknown): Problem | null {
  const { code } = error as { code?: unknown };
  if (code !== 'FST_FILES_LIMIT') return null;
  return fieldProblem('validation_error', 'file', 'must be one file', 'invalid_value');
}

/** The problem of a form that is cut or has no boundary: the parser throws errors without a code for these. */
function unreadableFormProblem(): Problem {
  return fieldProblem('validation_error', 'body', 'is not a readable form', 'invalid_value');
}
