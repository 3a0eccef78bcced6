import { z } from 'zod';
import type { Clock } from '../kernel/clock.js';
import { Problem } from '../kernel/errors.js';
import type { Log } from '../kernel/log.js';
import { CarrierError } from '../telephony/carrier.js';
import type { CarrierPool } from '../telephony/carrier-pool.js';
import { answerWithin } from './carrier-answer.js';
import type { CallRow } from './call.js';

const PATIENCE_MS = 10_000;
const MOST_DIGITS = 64;

/** The body of `POST /api/calls/{call_id}/digits` (our choice). */
export const digitsRequest = z
  .object({
    digits: z
      .string()
      .regex(/^[0-9A-D*#w]+$/, 'must be keys of 0-9, A-D, * and #, and w for half a second')
      .max(MOST_DIGITS)
      .meta({ description: 'The keys to press, `w` for a pause of half a second.' }),
  })
  .meta({ id: 'DigitsRequest', description: 'Keys to press.', examples: [{ digits: '1w2345#' }] });

/** Its answer. */
export const digitsSent = z
  .object({
    call_id: z.string().meta({ description: 'The id of the call.' }),
    id: z.string().meta({ description: 'The same as `call_id`.' }),
    digits: z.string().meta({ description: 'What the carrier was asked to press.' }),
    sent: z.literal(true),
  })
  .meta({
    id: 'DigitsSent',
    description: 'The carrier presses the keys.',
    examples: [
      {
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2ae',
        id: 'call_01kakb8x6te1tr7m3qf0c9w2ae',
        digits: '1w2345#',
        sent: true,
      },
    ],
  });
export type DigitsSent = z.output<typeof digitsSent>;

/**
 * Has the carrier press keys on a live call, as somebody with a telephone would.
 * @throws Problem `invalid_state` when the call is not live or its carrier cannot; `unavailable` when it failed to
 */
export async function sendDigits(
  call: CallRow,
  digits: string,
  { carriers, clock, log }: { carriers: CarrierPool; clock: Clock; log: Log },
): Promise<void> {
  if (call.status !== 'active') throw new Problem('invalid_state', 'Keys can be pressed in live calls only.');
  const carrier = carriers.find(call.provider);
  const press = carrier?.sendDigits?.bind(carrier);
  const { provider_call_id: line } = call;
  if (!press || line === null)
    throw new Problem('invalid_state', 'The carrier of this call cannot press keys while somebody talks.');
  await answerWithin(clock, PATIENCE_MS, (signal) => press(line, digits, signal)).catch((error: unknown) => {
    if (!(error instanceof CarrierError)) throw error;
    log.warn({ err: error, call_id: call.id }, 'carrier did not press keys');
    throw new Problem('unavailable', 'The carrier did not press the keys.');
  });
}
