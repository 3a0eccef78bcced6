import { describe, expect, it } from 'vitest';
import { CarrierReports, type CarrierReportsParts } from '../../../src/calls/reports/carrier-reports.js';
import type { CarrierReport } from '../../../src/telephony/port/carrier.js';

/** Lets everything happen that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

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

/** Reports that are taken in as far as the question who calls, and no further before they are let go on. */
function openReports(rush: { isOn: boolean }) {
  const taken: (() => void)[] = [];
  const host = new CarrierReports({
    rush,
    clock: { wallMs: () => 0 },
    inbound: { known: () => new Promise<void>((resolve) => taken.push(resolve)) },
    lines: { find: () => null },
    store: { read: async () => null },
  } as unknown as CarrierReportsParts);
  return { host, taken };
}

describe('reports of carriers', () => {
  it('stand back while more calls are due than can be begun, and are all taken in after that', async () => {
    const rush = { isOn: true };
    const { host, taken } = openReports(rush);
    const reports = Array.from({ length: 300 }, (_, number) => host.report(reportOf(number)));
    await settle();
    expect(taken).toHaveLength(4);
    rush.isOn = false;
    taken[0]!();
    await settle();
    expect(taken).toHaveLength(257);
    while (taken.length < 300) {
      for (const goOn of taken) goOn();
      await settle();
    }
    for (const goOn of taken) goOn();
    await Promise.all(reports);
  });

  it('do not keep whoever picks up waiting', async () => {
    const { host, taken } = openReports({ isOn: true });
    for (let number = 0; number < 10; number += 1) void host.report(reportOf(number));
    await settle();
    expect(taken).toHaveLength(4);
    const answered = { carrier: 'sandbox', dialRef: 'dial_x', providerCallId: 'CAx' };
    expect(await host.answer(answered)).toBeNull();
  });
});
