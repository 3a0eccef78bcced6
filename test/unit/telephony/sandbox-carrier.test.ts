import { afterEach, describe, expect, it } from 'vitest';
import type { PlaceRequest } from '#telephony/port/carrier.js';
import type { SandboxOptions } from '#telephony/sandbox/sandbox-carrier.js';
import { carrierContract } from '#test/contracts/carrier.js';
import { createSandboxRig, type SandboxRig } from './sandbox-rig.js';

carrierContract('sandbox, with a key and an exact look-up', () => createSandboxRig());
carrierContract('sandbox, with an exact look-up only', () => createSandboxRig({ idempotentPlace: false }));
carrierContract('sandbox, with neither', () => createSandboxRig({ idempotentPlace: false, lookUp: 'none' }));
carrierContract('sandbox, slow', () => createSandboxRig({ faults: { latencyMs: 400, reportDelayMs: 200 } }));

describe('the sandbox network', () => {
  let rig: SandboxRig;

  afterEach(() => rig.dispose());

  async function start(options: SandboxOptions = {}) {
    rig = await createSandboxRig(options);
  }

  function unhurried() {
    return new AbortController().signal;
  }

  function request(to: string, dialRef = 'dial_1'): PlaceRequest {
    return { dialRef, to, from: '+15550000000', ringTimeoutSeconds: 30, sendBefore: Number.MAX_SAFE_INTEGER };
  }

  it('rings as long as told before the callee picks up', async () => {
    await start({ ringMs: 3_000 });
    await rig.carrier.place(request('+15550100003'), unhurried());
    await rig.clock.advance(2_900);
    expect(rig.host.statuses('dial_1')).toEqual(['ringing']);
    await rig.clock.advance(200);
    expect(rig.host.statuses('dial_1')).toContain('answered');
  });

  it('stops ringing at the ring time-out, also when the callee would have answered later', async () => {
    await start({ ringMs: 40_000 });
    await rig.carrier.place(request('+15550100003'), unhurried());
    await rig.carrier.place(request('+15550100006', 'dial_2'), unhurried());
    await rig.clock.advance(29_900);
    expect(rig.host.reports.map(({ status }) => status)).toEqual(['ringing', 'ringing']);
    await rig.clock.advance(200);
    expect(rig.host.statuses('dial_1')).toEqual(['ringing', 'no_answer']);
    expect(rig.host.statuses('dial_2')).toEqual(['ringing', 'no_answer']);
  });

  it('sends as much sound as time passes, however busy the machine is', async () => {
    await start();
    await rig.carrier.place(request('+15550100003'), unhurried());
    const connection = await rig.until(rig.service.connection());
    await rig.until(connection.message('media'));
    const frames = () => connection.messages.filter(({ event }) => event === 'media').length;
    const before = frames();
    const startMs = rig.clock.monotonicMs();
    for (const pauseMs of [20, 70, 300, 20, 2_000, 110]) {
      rig.clock.stall(pauseMs);
      await rig.clock.advance(0);
    }
    const expected = (rig.clock.monotonicMs() - startMs) / 20;
    await rig.until(connection.message('media', () => frames() >= before + expected - 1));
    expect(frames() - before - (rig.clock.monotonicMs() - startMs) / 20).toBeLessThanOrEqual(1);
  });

  it('answers and hangs up at once without any audio', async () => {
    await start();
    await rig.carrier.place(request('+15550100009'), unhurried());
    expect(await rig.until(rig.host.reported('dial_1'))).toMatchObject({ hungUpBy: 'customer' });
    expect(rig.host.statuses('dial_1')).toEqual(['ringing', 'answered', 'completed']);
    expect(rig.host.answered).toEqual([]);
  });

  it.each(['911', '+0123456789', '15550100001', '+1555010000100000', ''])('does not dial %j', async (to) => {
    await start();
    await expect(rig.carrier.place(request(to), unhurried())).rejects.toMatchObject({
      reason: 'invalid_number',
    });
  });

  it('completes a call whose instruction fails, is refused, or is no address', async () => {
    await start();
    const instructions = [
      async () => Promise.reject(new Error('no agent')),
      async () => ({ url: 'ws://127.0.0.1:1/ws/stream', parameters: {} }),
      async () => ({ url: 'not an address', parameters: {} }),
    ];
    for (const [index, instruction] of instructions.entries()) {
      rig.host.instruct(instruction);
      await rig.carrier.place(request('+15550100003', `dial_${index}`), unhurried());
      const end = await rig.until(rig.host.reported(`dial_${index}`));
      expect(end).toMatchObject({ status: 'completed', hungUpBy: null });
      expect(end.code).toMatch(/^\d{5}$/);
    }
  });

  it('connects no audio when the call is over before the instruction comes', async () => {
    await start();
    let instruct = () => {};
    rig.host.instruct(
      () => new Promise((resolve) => (instruct = () => resolve({ url: rig.service.url, parameters: {} }))),
    );
    const { providerCallId } = await rig.carrier.place(request('+15550100003'), unhurried());
    await rig.until(rig.host.reported('dial_1', 'answered'));
    await rig.carrier.hangUp(providerCallId);
    instruct();
    await rig.pass(10_000);
    expect(rig.service.connections).toEqual([]);
    expect(rig.host.statuses('dial_1')).toEqual(['ringing', 'answered', 'completed']);
  });

  it('hands over at once what is on its way when it closes', async () => {
    await start({ faults: { reportDelayMs: 60_000 } });
    await rig.carrier.place(request('+15550100006'), unhurried());
    rig.host.refuseReports(1);
    await rig.carrier.close();
    expect(rig.host.statuses('dial_1')).toEqual(['ringing', 'cancelled']);
  });

  it('loses the answer but not the call', async () => {
    await start({ faults: { lostAnswers: 1 } });
    const lost = rig.carrier.place(request('+15550100003'), unhurried());
    await expect(lost).rejects.toMatchObject({ outcome: 'unknown', reason: 'timeout' });
    await rig.until(rig.host.reported('dial_1', 'answered'));
    expect(await rig.carrier.lookUp('dial_1', null)).toMatchObject({ found: true, status: 'answered' });
  });

  it('goes on with a request whose asker has given up', async () => {
    await start({ faults: { latencyMs: 1_000 } });
    const asker = new AbortController();
    const answer = rig.carrier.place(request('+15550100003'), asker.signal);
    asker.abort();
    await expect(answer).rejects.toMatchObject({ outcome: 'unknown', reason: 'timeout' });
    await rig.until(rig.host.reported('dial_1', 'answered'));
  });

  it('delivers reports twice when asked to', async () => {
    await start({ faults: { duplicatedReports: 1 } });
    await rig.carrier.place(request('+15550100005'), unhurried());
    await rig.pass(5_000);
    expect(rig.host.statuses('dial_1')).toEqual(['busy', 'busy']);
  });

  it('lets reports overtake one another when asked to, and loses none', async () => {
    await start({ faults: { reorderedReports: 0.5 } });
    const refs = Array.from({ length: 40 }, (_, index) => `dial_${index}`);
    await Promise.all(
      refs.map((dialRef) => rig.carrier.place(request('+15550100009', dialRef), unhurried())),
    );
    await rig.pass(5_000);
    const orders = refs.map((dialRef) => rig.host.statuses(dialRef));
    for (const order of orders) expect(order.toSorted()).toEqual(['answered', 'completed', 'ringing']);
    expect(orders.filter((order) => order[0] !== 'ringing').length).toBeGreaterThan(0);
  });

  it('brings a report again that could not be taken in, and keeps the order', async () => {
    await start();
    rig.host.refuseReports(2);
    await rig.carrier.place(request('+15550100009'), unhurried());
    await rig.pass(10_000);
    expect(rig.host.statuses('dial_1')).toEqual(['ringing', 'answered', 'completed']);
  });

  it('never logs a number', async () => {
    await start();
    rig.host.instruct(async () => Promise.reject(new Error('cannot connect +15550100003')));
    await rig.carrier.place(request('+15550100003'), unhurried());
    await rig.until(rig.host.reported('dial_1'));
    expect(rig.lines).not.toHaveLength(0);
    expect(JSON.stringify(rig.lines)).not.toContain('15550100003');
  });
});
