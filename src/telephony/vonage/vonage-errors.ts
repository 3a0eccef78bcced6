import { z } from 'zod';
import { CarrierError } from '../carrier.js';
import type { ApiAnswer } from '../http-client.js';

/** As much of a refusal as tells why. Older ones name no type; what is no text is left unread. */
const Refusal = z.object({
  type: z.string().max(256).catch(''),
  title: z.string().max(256).catch(''),
  error_title: z.string().max(256).catch(''),
  invalid_parameters: z.array(z.object({ name: z.string() })).catch([]),
});

/** Requests that the carrier did not understand or allow; every other one of this class is a refusal too. */
const TOO_FAST = 429;
/** It gave up waiting for us, or for itself. */
const GAVE_UP = 408;
/** The last part of a type's address: `https://developer.vonage.com/api-errors#throttled`. */
const THROTTLED = 'throttled';

/**
 * Sources: developer.vonage.com, "API Errors"; Voice API, "Errors" (the body of a refusal is only half documented, so
 * that the status decides where the body says nothing).
 * @throws CarrierError for any answer but a success
 */
export function refuseUnlessDone({ status, json }: ApiAnswer): void {
  if (status >= 200 && status < 300) return;
  const refusal = Refusal.safeParse(json).data;
  const type = refusal?.type.split(/[#/]/).at(-1)?.toLowerCase() ?? '';
  const code = type || refusal?.title || refusal?.error_title || String(status);
  if (status === TOO_FAST || type === THROTTLED)
    throw new CarrierError('not_dialled', 'rate_limited', 'the carrier takes no more calls now', code);
  if (status >= 500 || status === GAVE_UP || status < 400)
    throw new CarrierError('unknown', 'server_error', 'the carrier failed', code);
  // Such as `to`, `to.number` and `to[0].number`.
  if (refusal?.invalid_parameters.some(({ name }) => /^to\b/.test(name)))
    throw new CarrierError('not_dialled', 'invalid_number', 'the carrier does not call this number', code);
  throw new CarrierError('not_dialled', 'refused', 'the carrier refused the request', code);
}
