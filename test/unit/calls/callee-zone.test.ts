import { describe, expect, it } from 'vitest';
import { calleeZone } from '#calls/live/streams/callee-zone.js';

const CALL = {
  direction: 'outbound' as const,
  to_phone: '+12125550123',
  from_phone: '+13105550123',
  customer_data: {},
  customer_context: {},
  call_window: null,
};
const JULY = Date.UTC(2026, 6, 1);
const zoneOf = (call: Partial<Parameters<typeof calleeZone>[0]>, usual = 'UTC') =>
  calleeZone({ ...CALL, ...call }, { usual, at: JULY });
const hours = (timezone: string | null) => ({ timezone, start: 540, end: 1_200, days: [1] }) as never;

describe('the zone of the other end of a call', () => {
  it.each<[string, Parameters<typeof zoneOf>[0], string]>([
    ['of the number that is called', {}, 'America/New_York'],
    ['of the number that calls', { direction: 'inbound' }, 'America/Los_Angeles'],
    ['what is known of the customer', { customer_data: { timezone: 'Europe/Paris' } }, 'Europe/Paris'],
    [
      'the usual one for nonsense where there is no number',
      { to_phone: '', customer_data: { timezone: 'UTC+3' } },
      'UTC',
    ],
    ['that of the hours in which they may be called', { call_window: hours('Asia/Tokyo') }, 'Asia/Tokyo'],
    ['that of the number where these hours name none', { call_window: hours(null) }, 'America/New_York'],
    ['the likeliest of a mobile', { to_phone: '+61412345678' }, 'Australia/Sydney'],
    ['the usual one for a number of no place', { to_phone: '+18005550123' }, 'UTC'],
  ])('is %s', (_, call, zone) => {
    expect(zoneOf(call)).toBe(zone);
  });

  it('is the usual one where that is among those of the number', () => {
    expect(zoneOf({ to_phone: '+18005550123' }, 'America/Chicago')).toBe('America/Chicago');
  });
});
