import { z } from 'zod';
import type { Clock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import { CarrierError } from '#telephony/port/carrier.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import { answerWithin } from '#calls/lines/carrier-answer.js';
import type { CallRow } from '#calls/record/call.js';
import type { LiveSessions } from './live-sessions.js';

/** Timeout for the carrier's answer. */
const PATIENCE_MS = 10_000;
const MOST_DIGITS = 64;

/** The body of `POST /api/calls/{call_id}/digits`. */
export const digitsRequest = z
  .object({
    digits: z
      .string()
      .regex(/^[0-9A-D*#w]+$/, 'must be keys of 0-9, A-D, * and #, and w for half a second')
      .max(MOST_DIGITS)
      .meta({ description: 'The keys to press, `w` for a pause of half a second.' }),
  })
  .meta({ id: 'DigitsRequest', description: 'Keys to press.', examples: [{ digits: '1w2345#' }] });

/** The response of `POST /api/calls/{call_id}/digits`. */
export const digitsSent = z
  .object({
    call_id: z.string().meta({ description: 'The id of the call.' }),
    id: z.string().meta({ description: 'The same as `call_id`.' }),
    digits: z.string().meta({ description: 'The keys that were pressed.' }),
    sent: z.literal(true),
  })
  .meta({
    id: 'DigitsSent',
    description: 'The keys are pressed.',
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

export interface SendDigitsParts {
  carriers: CarrierPool;
  sessions: Pick<LiveSessions, 'get'>;
  clock: Clock;
  log: Log;
}

/**
 * Sends DTMF digits on a live call: through its carrier if the carrier supports that (resolves when the carrier has
 * accepted the digits), else as tones in the outgoing audio (resolves when all tones are sent).
 * @throws Problem `invalid_state` when the call is not live, its audio is not in this process, or it ended before the
 * last digit; `unavailable` when the carrier failed
 */
export async function sendDigits(call: CallRow, digits: string, parts: SendDigitsParts): Promise<void> {
  if (call.status !== 'active') throw new Problem('invalid_state', 'Keys can be pressed in live calls only.');
  const carrier = parts.carriers.find(call.provider);
  const { provider_call_id: line } = call;
  if (!carrier?.sendDigits || line === null) return sendTones(call, digits, parts);
  const press = carrier.sendDigits.bind(carrier);
  await answerWithin(parts.clock, PATIENCE_MS, (signal) => press(line, digits, signal)).catch(
    (error: unknown) => {
      if (!(error instanceof CarrierError)) throw error;
      parts.log.warn({ err: error, call_id: call.id }, 'carrier did not press keys');
      throw new Problem('unavailable', 'The carrier did not press the keys.');
    },
  );
}

async function sendTones(call: CallRow, digits: string, { sessions }: SendDigitsParts): Promise<void> {
  const session = sessions.get(call.id);
  if (!session)
    throw new Problem(
      'invalid_state',
      'The keys of this call are sent as tones in its audio, which does not run through this process: ask the one that ' +
        'carries the call, or try again when its audio is connected.',
    );
  const areSent = await session.sendKeys(digits);
  if (!areSent) throw new Problem('invalid_state', 'The call ended before all keys were pressed.');
}
