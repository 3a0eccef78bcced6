import { expect, it } from 'vitest';
import { TelnyxEmulator } from '#test/support/emulators/telnyx-emulator.js';
import type { CallControlCall } from '#test/support/emulators/telnyx/call-control-call.js';
import { TEST_KEY } from '#test/support/test-service.js';
import { readMarkup } from '#test/support/markup-reader.js';
import { testCalls } from '#test/e2e/carrier-calls.js';
import { NUMBERS } from '#test/e2e/carrier-rig.js';

/** Tests of whole calls through Call Control of Telnyx. */
export function testTelnyxCalls(): void {
  const rig = testCalls<TelnyxEmulator, CallControlCall>({
    provider: 'telnyx',
    domain: 'voice.example.com',
    open: ({ addressOf, ...around }) => TelnyxEmulator.open({ ...around, webhookUrl: addressOf('incoming') }),
    environmentOf: (emulator) => ({
      TELNYX_API_KEY: emulator.apiKey,
      TELNYX_PUBLIC_KEY: emulator.publicKey,
      TELNYX_CONNECTION_ID: emulator.connectionId,
      TELNYX_API_URL: emulator.url,
    }),
    callIn: (emulator, caller) => emulator.callIn(caller),
    lineTo: (emulator, number) => emulator.calls.find(({ line }) => line.to === number),
    providerCallId: ({ id }) => id,
    unsigned: ({ from, to }) => ({
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({
        data: {
          record_type: 'event',
          event_type: 'call.initiated',
          id: 'e1',
          payload: { call_control_id: 'v3:nobody', direction: 'incoming', from, to },
        },
      }),
    }),
    secretsOf: ({ apiKey }) => [apiKey],
    // Nothing is said before the stream is there.
    leavesAfterMs: 0,
  });

  it('gave every call that was talked through one stream, and hung it up itself', () => {
    for (const number of [NUMBERS.accepts, NUMBERS.interrupts, NUMBERS.ours]) {
      const call = rig.lineTo(number);
      expect(call.cause).toBe('normal_clearing');
      expect(call.streams).toHaveLength(1);
    }
  });

  it('answers a form with a credential of ours in TeXML, and performs nothing', async () => {
    const { log } = rig.emulator;
    const asked = log.asked().length;
    const answer = await rig.service.app.server.inject({
      method: 'POST',
      url: '/webhook/telnyx/incoming',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-api-key': TEST_KEY },
      payload: new URLSearchParams({
        CallSid: 'v3:form',
        From: NUMBERS.stranger,
        To: NUMBERS.ours,
      }).toString(),
    });
    expect(answer.statusCode).toBe(200);
    const steps = readMarkup('telnyx', {
      status: 200,
      contentType: String(answer.headers['content-type']),
      body: answer.body,
    });
    expect(steps.map(({ kind }) => kind)).toEqual(['say', 'stream', 'hang_up']);
    expect(await rig.inboundFrom(NUMBERS.stranger)).toMatchObject([{ provider: 'telnyx' }]);
    expect(log.asked()).toHaveLength(asked);
  });
}
