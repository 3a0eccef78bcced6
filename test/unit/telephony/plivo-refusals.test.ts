import { expect, it } from 'vitest';
import { plivo } from '#telephony/carriers/plivo/plivo.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { order, signal } from './placing.js';

/** The carrier, whose API answers every request with an error. */
function refusing(status: number, error: string) {
  const answer = { status, json: { api_id: '1', error }, retryAfterMs: null };
  return plivo.open(
    { AUTH_ID: 'MA1', AUTH_TOKEN: 'secret', API_URL: 'https://api.plivo.test', CALLS_PER_SECOND: '1' },
    {
      clock: new FakeClock(),
      log: createMemoryLog().log,
      http: { send: async () => answer, close: async () => {} },
      publicUrl: () => 'https://voice.example.com',
    },
  );
}

it.each([
  [400, 'to parameter is invalid', 'invalid_number'],
  [400, 'invalid destination', 'invalid_number'],
  [400, 'from parameter is invalid', 'refused'],
  // Not of a number, whatever else it names.
  [401, 'invalid credentials: they belong to another account', 'refused'],
])('a call that is refused with %i (%s) was not dialled: %s', async (status, error, reason) => {
  const placed = refusing(status, error).place(order('+15550100003'), signal);
  await expect(placed).rejects.toMatchObject({ outcome: 'not_dialled', reason, code: String(status) });
});
