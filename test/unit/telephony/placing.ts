import type { PlaceRequest } from '#telephony/port/carrier.js';
import type { CarrierRig } from '#test/contracts/carrier.js';
import type { ApiFault } from '#test/support/emulators/faults.js';

/** Our reference in every call that these tests place. */
export const REF = 'dial_01kakb8x6te1tr7m3qf0c9w2zd';
export const OURS = '+15550000000';
export const { signal } = new AbortController();

/** A request for a call that is in time. */
export function order(to: string, more: Partial<PlaceRequest> = {}): PlaceRequest {
  const usual = { from: OURS, ringTimeoutSeconds: 5, sendBefore: Number.MAX_SAFE_INTEGER };
  return { dialRef: REF, to, ...usual, ...more };
}

/** A call of ours that somebody has picked up. */
export async function answeredCall<Call>(rig: CarrierRig & { emulator: { calls: readonly Call[] } }) {
  const { providerCallId } = await rig.carrier.place(order(rig.numbers.answers), signal);
  await rig.until(rig.host.reported(REF, 'answered'));
  return { providerCallId, call: rig.emulator.calls[0]! };
}

/** What an API may do to a request, what it is known as then, and how many phones ring all the same. */
export const FAILURES: readonly [ApiFault, { outcome: string; reason: string }, number][] = [
  [{ kind: 'too_many', retryAfterSeconds: 1 }, { outcome: 'not_dialled', reason: 'rate_limited' }, 0],
  [{ kind: 'server_error', isDone: false }, { outcome: 'unknown', reason: 'server_error' }, 0],
  [{ kind: 'server_error', isDone: true }, { outcome: 'unknown', reason: 'server_error' }, 1],
  [{ kind: 'broken_connection' }, { outcome: 'unknown', reason: 'server_error' }, 0],
  [{ kind: 'lost_answer' }, { outcome: 'unknown', reason: 'server_error' }, 1],
];
