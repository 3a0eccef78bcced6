import { z } from 'zod';
import { requireSuccess as requireSuccessWith, type Refusal } from '#telephony/wire/api-refusal.js';
import type { ApiAnswer } from '#telephony/wire/carrier-http.js';

/** The fields of an error body that are read. Older bodies have no type; malformed fields are ignored. */
const ErrorBody = z.object({
  type: z.string().max(256).catch(''),
  title: z.string().max(256).catch(''),
  error_title: z.string().max(256).catch(''),
  invalid_parameters: z.array(z.object({ name: z.string() })).catch([]),
});

/** The type of too many requests: the fragment of `https://developer.vonage.com/api-errors#throttled`. */
const THROTTLED = 'throttled';

/**
 * Returns for a successful answer of Vonage's API, to `VonageApi`. Sources: developer.vonage.com, "API Errors"; Voice
 * API, "Errors" (refusals are only partly documented, so the HTTP status decides if the body says nothing).
 * @throws CarrierError for any other answer
 */
export function requireSuccess(answer: ApiAnswer): void {
  requireSuccessWith(answer, readRefusal);
}

/** The explanation of a refusal: its code, and whether it is about the number or the rate of requests (`pace`). */
function readRefusal({ json }: ApiAnswer): Refusal {
  const refusal = ErrorBody.safeParse(json).data;
  const type = refusal?.type.split(/[#/]/).at(-1)?.toLowerCase() ?? '';
  const code = type || refusal?.title || refusal?.error_title;
  if (type === THROTTLED) return { code, cause: 'pace' };
  // `to`, `to.number` or `to[0].number`.
  const isAboutNumber = refusal?.invalid_parameters.some(({ name }) => /^to\b/.test(name));
  return isAboutNumber ? { code, cause: 'number' } : { code };
}
