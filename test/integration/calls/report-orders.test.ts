import { describe, expect, it } from 'vitest';
import type { CarrierStatus } from '#telephony/port/carrier.js';
import { CallRig } from '#test/support/call-rig.js';

/** Every order of some reports, each order once. */
function ordersOf(reports: readonly CarrierStatus[]): CarrierStatus[][] {
  if (reports.length === 0) return [[]];
  return [...new Set(reports)].flatMap((first) => {
    const rest = reports.toSpliced(reports.indexOf(first), 1);
    return ordersOf(rest).map((order) => [first, ...order]);
  });
}

const twice = (...reports: CarrierStatus[]) => [...reports, ...reports];

/** The events that tell how a call stands; what is found out about a talk afterwards is another matter. */
const STATES = ['call.initiated', 'call.connected', 'call.in_progress', 'call.completed', 'call.failed'];

/** Calls each number anew, reports an order of things, and tells how each call stands and what it announced. */
async function play(orders: readonly CarrierStatus[][]) {
  const rig = await CallRig.open();
  await rig.callService.start();
  const ends: { order: CarrierStatus[]; end: string; events: string[] }[] = [];
  for (const order of orders) {
    const placed = rig.carrier.placed.length;
    const { id } = await rig.create();
    await rig.until(() => rig.carrier.placed.length > placed);
    const { dialRef } = rig.carrier.placed.at(-1)!;
    for (const report of order) await rig.carrier.report(report, { dialRef });
    const { status, ended_reason: reason } = await rig.call(id);
    const events = (await rig.eventTypes(id)).filter((type) => STATES.includes(type));
    ends.push({ order, end: `${status}: ${reason}`, events });
  }
  return ends;
}

describe('every order of what a carrier reports, each report twice', () => {
  it('of a call that reached nobody: one end', async () => {
    const reasons = { busy: 'busy', no_answer: 'no_answer', failed: 'provider_error' };
    const reports = Object.keys(reasons) as (keyof typeof reasons)[];
    const ends = await play(reports.flatMap((report) => ordersOf(twice('ringing', report))));
    expect(ends).toHaveLength(18);
    for (const { order, end, events } of ends) {
      const report = reports.find((name) => order.includes(name))!;
      expect(end, order.join()).toBe(`failed: ${reasons[report]}`);
      expect(events, order.join()).toEqual(['call.initiated', 'call.failed']);
    }
  });

  it('of a call that is over: one end, every event once and in its place', async () => {
    const ends = await play(ordersOf(twice('ringing', 'answered', 'completed')));
    expect(ends).toHaveLength(90);
    for (const { order, end, events } of ends) {
      // Whoever is known to have answered, and was never heard, was not reached; who only hung up was.
      const isHeardOf = order.indexOf('answered') < order.indexOf('completed');
      expect(end, order.join()).toBe(isHeardOf ? 'failed: stream_not_opened' : 'completed: customer_hangup');
      expect(events, order.join()).toEqual(
        isHeardOf
          ? ['call.initiated', 'call.connected', 'call.failed']
          : ['call.initiated', 'call.connected', 'call.in_progress', 'call.completed'],
      );
    }
  });
});
