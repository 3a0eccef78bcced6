import { expect, it } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import { callOnce } from '#test/support/call-story.js';
import { PlivoEmulator } from '#test/support/emulators/plivo-emulator.js';
import type { PlivoCall } from '#test/support/emulators/plivo/emulated-call.js';
import { signatureOf } from '#test/support/emulators/plivo/signature.js';
import { testCalls } from '#test/e2e/carrier-calls.js';
import { AGENTS } from '#test/e2e/carrier-talks.js';
import { NUMBERS, type CarrierRig } from '#test/e2e/carrier-rig.js';

const PATIENT = '+14155550130';

/** Tests of whole calls through Plivo. */
export function testPlivoCalls(): void {
  const rig = testCalls<PlivoEmulator, PlivoCall>(
    {
      provider: 'plivo',
      open: (around) => PlivoEmulator.open(around),
      environmentOf: ({ authId, authToken, url }) => ({
        PLIVO_AUTH_ID: authId,
        PLIVO_AUTH_TOKEN: `${authToken}, another-good-token`,
        PLIVO_API_URL: url,
      }),
      callIn: (emulator, caller, { incomingUrl: answerUrl, statusUrl: hangupUrl }) =>
        emulator.callIn({ ...caller, answerUrl, hangupUrl }),
      lineTo: (emulator, number) => emulator.calls.find(({ order }) => order['to'] === number.slice(1)),
      providerCallId: ({ callId }) => callId,
      unsigned: ({ from, to }) => ({
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ CallUUID: 'nobody', From: from.slice(1), To: to.slice(1) }).toString(),
      }),
      secretsOf: ({ authToken }) => [authToken],
      phones: () => ({ [PATIENT]: { kind: 'no_answer' } }),
    },
    testOwnWays,
  );

  it('ended the call that went out by request, or by the document after its stream', async () => {
    const line = rig.lineTo(NUMBERS.accepts);
    // Whichever is there first.
    expect(line.end!.source).toMatch(/^(API Request|Answer XML)$/);
    expect(line.status).toBe('completed');
  });

  it('believes what is signed with any token of the account, and with no other', async () => {
    const url = rig.addressOf('incoming');
    const announce = async (CallUUID: string, authToken: string) => {
      const form = new URLSearchParams({
        CallUUID,
        From: NUMBERS.stranger.slice(1),
        To: NUMBERS.ours.slice(1),
      });
      const nonce = CallUUID;
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-plivo-signature-v3': signatureOf(authToken, { url, form, nonce }),
        'x-plivo-signature-v3-nonce': nonce,
      };
      const { pathname } = new URL(url);
      const { server } = rig.service.app;
      return (await server.inject({ method: 'POST', url: pathname, headers, payload: form.toString() }))
        .statusCode;
    };
    expect(await announce('call-b', 'nobodys-token')).toBe(403);
    expect(await rig.inboundFrom(NUMBERS.stranger)).toEqual([]);
    expect(await announce('call-c', 'another-good-token')).toBe(200);
  });
}

function testOwnWays(at: CarrierRig<PlivoEmulator, PlivoCall>): void {
  it('lets a phone ring no longer than the call is wanted', async () => {
    const id = await at.call(PATIENT, AGENTS.asks);
    const isPlaced = ({ provider_call_id }: CallResource) =>
      provider_call_id !== null && provider_call_id === at.lineTo(PATIENT).callId;
    await callOnce(at.service.request, id, isPlaced);
    const line = at.lineTo(PATIENT);
    expect(await at.time.during(at.service.request('POST', `/api/calls/${id}/disconnect`))).toMatchObject({
      status: 200,
    });
    await at.time.during(line.ended);
    expect(line).toMatchObject({ status: 'cancel', end: { code: 1000 } });
  });
}
