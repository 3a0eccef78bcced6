import { z } from 'zod';
import { refuseUnlessDone as refuse, type Refusal } from '#telephony/wire/api-refusal.js';
import type { ApiAnswer } from '#telephony/wire/carrier-http.js';

/** As much of a refusal as tells why. Older ones name no type; what is no text is left unread. */
const Said = z.object({
  type: z.string().max(256).catch(''),
  title: z.string().max(256).catch(''),
  error_title: z.string().max(256).catch(''),
  invalid_parameters: z.array(z.object({ name: z.string() })).catch([]),
});

/** The last part of a type's address: `https://developer.vonage.com/api-errors#throttled`. */
const THROTTLED = 'throttled';

/**
 * What an answer says that is no success. Sources: developer.vonage.com, "API Errors"; Voice API, "Errors" (the body of
 * a refusal is only half documented, so that the status decides where the body says nothing).
 * @throws CarrierError for any answer but a success
 */
export function refuseUnlessDone(answer: ApiAnswer): void {
  refuse(answer, readRefusal);
}

function readRefusal({ json }: ApiAnswer): Refusal {
  const refusal = Said.safeParse(json).data;
  const type = refusal?.type.split(/[#/]/).at(-1)?.toLowerCase() ?? '';
  const code = type || refusal?.title || refusal?.error_title;
  if (type === THROTTLED) return { code, about: 'pace' };
  // Such as `to`, `to.number` and `to[0].number`.
  const isAboutNumber = refusal?.invalid_parameters.some(({ name }) => /^to\b/.test(name));
  return isAboutNumber ? { code, about: 'number' } : { code };
}
