import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_RING_MS, overdue } from '#calls/watch/overdue.js';
import { ROUND_MS, ObservedCalls } from '#calls/watch/observed-calls.js';
import type { WatchedCall } from '#calls/watch/watch-store.js';
import { FakeClock } from '#test/support/fake-clock.js';

const HOUR_MS = 3_600_000;

let clock: FakeClock;
let observed: ObservedCalls;

beforeEach(() => {
  clock = new FakeClock();
  observed = new ObservedCalls(clock);
});

function callThatIs(status: WatchedCall['status'], more: Partial<WatchedCall> = {}): WatchedCall {
  return {
    id: 'call_1',
    direction: 'outbound',
    status,
    ended_reason: null,
    provider: 'sandbox',
    provider_call_id: 'line_1',
    answered_at: null,
    updated_at: clock.wallMs(),
    timeout_seconds: 60,
    silence_timeout_seconds: 30,
    ...more,
  };
}

const reasonFor = (call: WatchedCall) => overdue(call, observed.timesOf(call.id));

describe('a call that is watched', () => {
  it.each([
    ['connecting', { provider_call_id: 'CA1' }, MAX_RING_MS, 'dial_timeout'],
    ['connecting', { provider_call_id: null }, MAX_RING_MS, 'uncertain'],
    ['connected', {}, 15_000, 'stream_not_opened'],
    ['active', {}, 60_000, 'max_duration'],
    ['ending', {}, 10_000, 'stream_error'],
    ['ending', { ended_reason: 'api_disconnect' }, 10_000, 'api_disconnect'],
    ['initiated', { direction: 'inbound' }, 60_000, 'caller_hangup'],
  ] as const)('is %s %o for at most %i ms, then it ends: %s', (status, more, mostMs, reason) => {
    const call = callThatIs(status, more);
    observed.observe([call]);

    clock.stall(mostMs);
    expect(reasonFor(call)).toBeNull();
    clock.stall(1);
    expect(reasonFor(call)).toBe(reason);
  });

  it('is in time whatever the clock on the wall says', () => {
    const call = callThatIs('active', { answered_at: clock.wallMs() });
    observed.observe([call]);
    clock.setWall(clock.wallMs() + HOUR_MS);
    observed.observe([call]);

    expect(reasonFor(call)).toBeNull();
  });

  it('was answered at most one round before it is seen so', () => {
    const call = callThatIs('active', { answered_at: clock.wallMs() - HOUR_MS });
    observed.observe([call]);

    expect(observed.timesOf(call.id)).toEqual({ unchangedMs: 0, answeredMs: ROUND_MS });
  });

  it('rings anew when it is dialled again', () => {
    observed.observe([callThatIs('connecting')]);
    clock.stall(MAX_RING_MS + 1);
    const dialledAgain = callThatIs('connecting', { updated_at: clock.wallMs() + 1 });
    observed.observe([dialledAgain]);

    expect(reasonFor(dialledAgain)).toBeNull();
  });

  it('begins anew when nothing could be seen for a while', () => {
    const call = callThatIs('connected');
    observed.observe([call]);
    clock.stall(HOUR_MS);
    observed.recordMissedRound();
    observed.observe([call]);

    expect(reasonFor(call)).toBeNull();
  });
});
