import { offsetMs, isTimeZone } from '#kernel/time/time-zone.js';
import { factsOf } from '#policy/numbers/number-facts.js';
import type { CallRow } from '#calls/record/call.js';

/**
 * The IANA zone by whose clocks the other end of a call lives: the `timezone` that is known of the customer, else that
 * of the hours in which they may be called, else that of their number. A number that may be in several places counts
 * when their clocks agree where it most likely is; else, and where there is no number, it is `usual`.
 */
export function calleeZone(
  call: Pick<
    CallRow,
    'direction' | 'to_phone' | 'from_phone' | 'customer_data' | 'customer_context' | 'call_window'
  >,
  { usual, at }: { usual: string; at: number },
): string {
  const own = call.customer_context['timezone'] ?? call.customer_data['timezone'];
  if (typeof own === 'string' && isTimeZone(own)) return own;
  if (call.call_window?.timezone) return call.call_window.timezone;
  const { zones, likelyZones } = factsOf(call.direction === 'outbound' ? call.to_phone : call.from_phone);
  const [first] = likelyZones;
  if (first === undefined || zones.includes(usual)) return usual;
  return likelyZones.every((zone) => offsetMs(zone, at) === offsetMs(first, at)) ? first : usual;
}
