import { expect, it } from 'vitest';
import { JambonzEmulator } from '#test/support/emulators/jambonz-emulator.js';
import { signatureOf } from '#test/support/emulators/jambonz/hooks.js';
import type { JambonzCall } from '#test/support/emulators/jambonz/jambonz-call.js';
import { testCalls } from '#test/e2e/carrier-calls.js';
import { NUMBERS } from '#test/e2e/carrier-rig.js';

/** A call as jambonz announces it. */
const announcement = ({ from, to }: { from: string; to: string }) =>
  JSON.stringify({
    call_sid: 'b5e39996-bd2f-4bda-b928-355147186a2a',
    direction: 'inbound',
    call_status: 'trying',
    from: from.slice(1),
    to,
  });

/** Tests of whole calls through jambonz. */
export function testJambonzCalls(): void {
  const rig = testCalls<JambonzEmulator, JambonzCall>({
    provider: 'jambonz',
    open: (around) => JambonzEmulator.open(around),
    environmentOf: ({ accountSid, apiKey, webhookSecret, url }) => ({
      JAMBONZ_ACCOUNT_SID: accountSid,
      JAMBONZ_API_KEY: apiKey,
      JAMBONZ_WEBHOOK_SECRET: webhookSecret,
      JAMBONZ_API_URL: url,
      JAMBONZ_MACHINE_DETECTION: 'on',
    }),
    callIn: (emulator, caller, { incomingUrl: webhookUrl, statusUrl }) =>
      emulator.callIn({ ...caller, webhookUrl, statusUrl }),
    lineTo: (emulator, number) => emulator.calls.find(({ info }) => info.to === number),
    providerCallId: ({ sid }) => sid,
    unsigned: (call) => ({
      headers: { 'content-type': 'application/json' },
      payload: announcement(call),
    }),
    secretsOf: ({ apiKey, webhookSecret }) => [apiKey, webhookSecret],
  });

  it('moved the call that went out through every state once', () => {
    const { info } = rig.lineTo(NUMBERS.accepts);
    expect(info.statuses).toEqual(['ringing', 'in-progress', 'completed']);
  });

  it('believes what is signed with the secret of the account, and lately', async () => {
    const payload = announcement({ from: NUMBERS.stranger, to: NUMBERS.ours });
    const announce = (secondsAgo: number, secret = rig.emulator.webhookSecret) => {
      const time = Math.floor(rig.time.wallMs() / 1_000) - secondsAgo;
      const headers = {
        'content-type': 'application/json',
        'jambonz-signature': signatureOf(secret, time, payload),
      };
      const url = '/webhook/jambonz/incoming';
      return rig.service.app.server.inject({ method: 'POST', url, headers, payload });
    };
    expect(await announce(0, 'wh_secret_of_another')).toMatchObject({ statusCode: 403 });
    expect(await announce(400)).toMatchObject({ statusCode: 403 });
    expect(await rig.inboundFrom(NUMBERS.stranger)).toEqual([]);

    const answers = [await announce(1), await announce(0)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const verbs = answers[0]!.json<{ verb: string }[]>().map(({ verb }) => verb);
    expect(verbs).toEqual(['answer', 'say', 'listen', 'hangup']);
    expect(await rig.inboundFrom(NUMBERS.stranger)).toHaveLength(1);
  });
}
