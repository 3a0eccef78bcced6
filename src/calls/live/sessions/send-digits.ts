import { z } from 'zod';
import type { ModuleContext } from '#store/module-context.js';
import { Problem } from '#kernel/errors/errors.js';
import { CarrierError } from '#telephony/port/carrier.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import { answerWithin } from '#calls/lines/answer-within.js';
import type { CallRow } from '#calls/record/call.js';
import type { LiveSession } from './live-session.js';
import type { LiveSessions } from './live-sessions.js';

// Sending DTMF digits on a live call: the schemas of the endpoint and the operation.

/** The timeout of a request to the carrier. */
const CARRIER_TIMEOUT_MS = 10_000;
/** The limit of digits in one request. */
const MAX_DIGITS = 64;

/** The body of `POST /api/calls/{call_id}/digits`. */
export const digitsRequest = z
  .object({
    digits: z
      .string()
      .regex(/^[0-9A-D*#w]+$/, 'must be keys of 0-9, A-D, * and #, and w for half a second')
      .max(MAX_DIGITS)
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

/** The dependencies of {@link sendDigits}. */
export interface SendDigitsParts extends Pick<ModuleContext, 'clock' | 'log'> {
  carriers: CarrierPool;
  sessions: Pick<LiveSessions, 'get'>;
  /** Lets the other process that has the audio of the call send the digits as tones. @throws as {@link sendTones} */
  sendElsewhere(call: CallRow, digits: string): Promise<void>;
}

/**
 * Sends DTMF digits on a live call: through its carrier if the carrier offers that (resolves when it has accepted
 * them), else as tones in the outgoing audio (resolves when all were sent). Used by `Calls`.
 * @throws Problem `invalid_state` when the call is not live, or ends before the last digit; `unavailable` when the
 * carrier fails, or the process with the call's audio does not answer
 */
export async function sendDigits(call: CallRow, digits: string, parts: SendDigitsParts): Promise<void> {
  if (call.status !== 'active') throw new Problem('invalid_state', 'Keys can be pressed in live calls only.');
  const carrier = parts.carriers.find(call.provider);
  const { provider_call_id: providerCallId } = call;
  if (!carrier?.sendDigits || providerCallId === null) {
    const session = parts.sessions.get(call.id);
    return session ? sendTones(session, digits) : parts.sendElsewhere(call, digits);
  }
  const send = carrier.sendDigits.bind(carrier);
  await answerWithin(parts.clock, CARRIER_TIMEOUT_MS, (signal) => send(providerCallId, digits, signal)).catch(
    (error: unknown) => {
      if (!(error instanceof CarrierError)) throw error;
      parts.log.warn({ err: error, call_id: call.id }, 'carrier did not press keys');
      throw new Problem('unavailable', 'The carrier did not press the keys.');
    },
  );
}

/**
 * Sends digits as tones in the outgoing audio of a call that is live in this process.
 * @throws Problem `invalid_state` if the call ends before the last digit
 */
export async function sendTones(session: Pick<LiveSession, 'sendKeys'>, digits: string): Promise<void> {
  const areSent = await session.sendKeys(digits);
  if (!areSent) throw new Problem('invalid_state', 'The call ended before all keys were pressed.');
}
