import { offsetMs, isTimeZone } from '#kernel/time/time-zone.js';
import { factsOf } from '#policy/numbers/number-facts.js';
import type { CallRow } from '#calls/record/call.js';

/**
 * The IANA time zone of the person on a call, in which the agent names times. Used by `AudioStreams`. The first of
 * these counts:
 *
 * 1. the field `timezone` of the customer's data;
 * 2. the zone of the call window;
 * 3. the zone of the phone number, if it has one, or several whose clocks agree at `at` (epoch milliseconds);
 * 4. `usual`, the service's default zone; also for a number that may be in that zone.
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
