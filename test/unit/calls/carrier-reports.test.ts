import { describe, expect, it } from 'vitest';
import { CarrierReports, type CarrierReportsParts } from '#calls/reports/carrier-reports.js';
import type { CarrierReport } from '#telephony/port/carrier.js';
import { settle } from '#test/support/fake-clock.js';

function reportOf(number: number): CarrierReport {
  return {
    carrier: 'sandbox',
    dialRef: `dial_${number}`,
    providerCallId: `CA${number}`,
    status: 'completed',
    code: null,
    hungUpBy: 'customer',
    at: 0,
  };
}

/** A host whose database answers when it is let go on, and what has been asked of it. */
function openReports(loadShedding: { isOn: boolean }, parts: Partial<CarrierReportsParts> = {}) {
  const asked: (() => void)[] = [];
  const host = new CarrierReports({
    loadShedding,
    clock: { wallMs: () => 0 },
    inbound: { whenStored: async () => {} },
    legs: { find: () => null },
    store: { read: () => new Promise((resolve) => asked.push(() => resolve(null))) },
    ...parts,
  } as unknown as CarrierReportsParts);
  return { host, asked };
}

describe('reports of carriers', () => {
  it('stand back while more calls are due than can be begun, and are all taken in after that', async () => {
    const loadShedding = { isOn: true };
    const { host, asked } = openReports(loadShedding);
    const reports = Array.from({ length: 300 }, (_, number) => host.report(reportOf(number)));
    await settle();
    expect(asked).toHaveLength(4);
    loadShedding.isOn = false;
    asked[0]!();
    await settle();
    expect(asked).toHaveLength(257);
    while (asked.length < 300) {
      for (const answer of asked) answer();
      await settle();
    }
    for (const answer of asked) answer();
    await Promise.all(reports);
  });

  it('do not keep whoever picks up waiting', async () => {
    const { host, asked } = openReports({ isOn: true });
    for (let number = 0; number < 10; number += 1) void host.report(reportOf(number));
    await settle();
    expect(asked).toHaveLength(4);
    const answered = host.answer({ carrier: 'sandbox', dialRef: 'dial_x', providerCallId: 'CAx' });
    await settle();
    asked[4]!();
    expect(await answered).toBeNull();
  });

  it('wait for nobody who is still asked about another caller', async () => {
    const never = new Promise<void>(() => {});
    const whenStored = ({ providerCallId }: { providerCallId: string | null }) =>
      providerCallId === 'CA9' ? Promise.resolve() : never;
    const inbound = { whenStored } as unknown as CarrierReportsParts['inbound'];
    const { host, asked } = openReports({ isOn: true }, { inbound });
    for (let number = 0; number < 10; number += 1) void host.report(reportOf(number));
    await settle();
    expect(asked).toHaveLength(1);
  });

  it('wait for no carrier that is to hang up another line', async () => {
    const hungUp: string[] = [];
    const legs = {
      find: ({ dialRef }: { dialRef: string }) => ({ callId: dialRef, isWritten: Promise.resolve(false) }),
    } as unknown as CarrierReportsParts['legs'];
    const store = {
      write: async (_unit: unknown, { callId }: { callId: string }) => ({ id: callId }),
    } as unknown as CarrierReportsParts['store'];
    const hangUp = ({ id }: { id: string }) => {
      hungUp.push(id);
      return new Promise<void>(() => {});
    };
    const { host } = openReports({ isOn: true }, { legs, store, hangUp });
    for (let number = 0; number < 10; number += 1) {
      void host.report({ ...reportOf(number), status: 'ringing' });
    }
    await settle();
    expect(hungUp).toHaveLength(10);
  });
});
