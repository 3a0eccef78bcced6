import { describe, expect, it } from 'vitest';
import { CallLegCache } from '#calls/lines/call-leg-cache.js';

const REPORT = { carrier: 'sandbox', dialRef: 'dial_1' };

function placed(writing: Promise<unknown> = Promise.resolve()): CallLegCache {
  const lines = new CallLegCache();
  lines.add('dial_1', { carrier: 'sandbox', callId: 'call_1' }, writing);
  return lines;
}

describe('the lines that this process has placed', () => {
  it('are found by the reference that their carrier was given', () => {
    expect(placed().find(REPORT)).toMatchObject({ callId: 'call_1' });
  });

  it.each([
    ['another reference', { dialRef: 'dial_2' }],
    ['no reference', { dialRef: null }],
    ['another carrier', { carrier: 'twilio' }],
    ['another id than the one it was placed as', { placedAs: 'CA_old' }],
  ])('are not found by %s', (_what, of) => {
    expect(placed().find({ ...REPORT, ...of })).toBeNull();
  });

  it('say when the database knows of them, and when it could not be told', async () => {
    let write = () => {};
    const writing = placed(new Promise<void>((resolve) => (write = resolve))).find(REPORT)!;
    const state = Promise.race([writing.isWritten, Promise.resolve('not yet')]);
    expect(await state).toBe('not yet');
    write();
    expect(await writing.isWritten).toBe(true);
    const failed = placed(Promise.reject(new Error('gone'))).find(REPORT)!;
    expect(await failed.isWritten).toBe(false);
  });
});
