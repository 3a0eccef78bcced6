import { expect, it } from 'vitest';
import { VonageEmulator } from '#test/support/emulators/vonage-emulator.js';
import type { EmulatedCall } from '#test/support/emulators/vonage/emulated-call.js';
import { testCalls } from '#test/e2e/carrier-calls.js';
import { NUMBERS } from '#test/e2e/carrier-rig.js';
import { AGENTS, expectEnd } from '#test/e2e/carrier-talks.js';

/** Who is busy, and of whose call the carrier says so when it has said already that it is completed. */
const BUSY_TOLD_LATE = '+14155550127';

/** Tests of whole calls through Vonage. */
export function testVonageCalls(): void {
  const rig = testCalls<VonageEmulator, EmulatedCall>(
    {
      provider: 'vonage',
      open: (around) => VonageEmulator.open(around),
      environmentOf: ({ account, privateKey, url }) => ({
        VONAGE_APPLICATION_ID: account.applicationId,
        // As it comes in a variable of one line.
        VONAGE_PRIVATE_KEY: privateKey.trim().replaceAll('\n', '\\n'),
        VONAGE_API_KEY: account.apiKey,
        VONAGE_SIGNATURE_SECRET: `${account.signatureSecret}, the-secret-before`,
        VONAGE_API_URL: url,
      }),
      callIn: (emulator, caller, { incomingUrl: answerUrl, statusUrl: eventUrl }) =>
        // Applications are set up for GET at first.
        emulator.callIn({ ...caller, answerUrl, eventUrl, answerMethod: caller.talk ? 'GET' : 'POST' }),
      lineTo: (emulator, number) => emulator.calls.find(({ record }) => `+${record.to}` === number),
      providerCallId: ({ record }) => record.uuid,
      unsigned: ({ from, to }) => ({
        headers: { 'content-type': 'application/json', authorization: 'Bearer bm90.YSB0.b2tlbg' },
        payload: JSON.stringify({ from: from.slice(1), to: to.slice(1), uuid: 'nobody' }),
      }),
      secretsOf: ({ account, privateKey }) => [account.signatureSecret, privateKey],
      phones: () => ({ [BUSY_TOLD_LATE]: { kind: 'busy' } }),
    },
    (rig) => {
      it('tells who was busy, though that is told after the end', async () => {
        rig.emulator.faults.at(BUSY_TOLD_LATE).callback = ({ status }) =>
          status === 'busy' ? { delayMs: 200 } : {};
        const id = await rig.call(BUSY_TOLD_LATE, AGENTS.asks);
        await expectEnd(rig.service, id, { status: 'failed', ended_reason: 'busy', event: 'call.failed' });
      });
    },
  );

  it('moved the call that went out through every state once', () => {
    const { record } = rig.lineTo(NUMBERS.accepts);
    expect(record.statuses).toEqual(['started', 'ringing', 'answered', 'completed']);
  });
}
