import { expect, it } from 'vitest';
import { twilio } from '#telephony/carriers/twilio/twilio.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { order, signal } from './placing.js';

/** The carrier, whose API answers every request with an error. */
function refusing(status: number, code: number) {
  const answer = { status, json: { code, status, message: '', more_info: '' }, retryAfterMs: null };
  return twilio.open(
    { ACCOUNT_SID: 'AC1', AUTH_TOKEN: 'secret', API_URL: 'https://api.twilio.test', CALLS_PER_SECOND: '1' },
    {
      clock: new FakeClock(),
      log: createMemoryLog().log,
      http: { send: async () => answer, close: async () => {} },
      publicUrl: () => 'https://voice.example.com',
    },
  );
}

it.each([
  ['Invalid To', 400, 21211, 'invalid_number'],
  ['To is in no format of numbers', 400, 13224, 'invalid_number'],
  ['too many requests', 429, 20429, 'rate_limited'],
  // Of accounts that are new, four calls: the fifth has to wait for one of them to end.
  ['call concurrency limit exceeded', 400, 10004, 'rate_limited'],
  ['From is not verified', 400, 21210, 'refused'],
  ['no such account', 401, 20003, 'refused'],
])('a call that is refused because of %s (%i, %i) was not dialled: %s', async (_, status, code, reason) => {
  const placed = refusing(status, code).place(order('+15550100003'), signal);
  await expect(placed).rejects.toMatchObject({ outcome: 'not_dialled', reason, code: String(code) });
});

it.each([
  ['there is no such call', 404, 20404],
  ['there is nothing at its address', 404, 0],
  ['it is not in progress', 400, 21220],
])('a call that cannot be ended because %s (%i, %i) is over', async (_, status, code) => {
  await refusing(status, code).hangUp('CA1');
});
