import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import { batchHeader } from '#batches/intake/batch-request.js';
import { fieldProblem } from '#kernel/errors/errors.js';
import { fieldOf } from '#kernel/input/issue-message.js';
import { flawsOf, isTooDeep, TOO_DEEP } from '#kernel/input/json-scan.js';

/*
 * A batch whose recipients are a table (CSV): the table is the body, and the other fields of the batch are in the query
 * or in a form. Used by the import and the preflight of batches.
 */

/** Media types of a table. */
export const TABLE_TYPES = [/^text\/(?:csv|plain|tab-separated-values)(?:\s*;|$)/i];
// The fields of a batch that are not texts. In a form or a query they are written as text: JSON, a number, `true`.
const JSON_FIELDS = ['retry_policy', 'call_window', 'metadata'];
const NUMBER_FIELDS = ['max_concurrency', 'timeout_seconds', 'silence_timeout_seconds'];
const FLAG_FIELDS = ['record_call', 'enable_transcription'];

/** Schema of the table, for the OpenAPI document. */
export const tableText = z.string().meta({
  description: 'The table.',
  examples: ['phone_number,name,city\n+15550100001,Ada,London\n+15550100002,Alan,Paris\n'],
});

/** Schema of the query of a request whose body is a table: the fields of a batch. For the OpenAPI document. */
export function tableQuery(region?: CountryCode) {
  const inJson = JSON_FIELDS.map((name): [string, z.ZodType] => [
    name,
    z
      .string()
      .optional()
      .meta({ description: `The \`${name}\` of a batch, as JSON.` }),
  ]);
  return z.looseObject({
    ...batchHeader(region).shape,
    ...(Object.fromEntries(inJson) as Record<string, z.ZodType>),
  });
}

/**
 * Converts the texts of a form or query to the types of their fields. A text that cannot be converted stays a text, and
 * the validation of the batch refuses it.
 * @throws Problem `validation_error` for a JSON field that is nested too deeply or holds a value that cannot be kept
 */
export function readTableFields(texts: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      if (typeof text !== 'string') return [name, text];
      if (NUMBER_FIELDS.includes(name) && /^\d{1,9}$/.test(text)) return [name, Number(text)];
      if (FLAG_FIELDS.includes(name) && /^(?:true|false)$/.test(text)) return [name, text === 'true'];
      return [name, JSON_FIELDS.includes(name) ? parsedOrText(text) : text];
    }),
  );
  for (const [name, value] of Object.entries(fields)) {
    if (isTooDeep(value)) throw fieldProblem('validation_error', name, TOO_DEEP, 'too_deep');
    const [flaw] = flawsOf(value, String(texts[name]));
    if (flaw) throw fieldProblem('validation_error', fieldOf([name, ...flaw.path]), flaw.message, flaw.code);
  }
  return fields;
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
