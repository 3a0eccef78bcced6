import { describe, expect, it } from 'vitest';
import { createIds } from '#kernel/ids/ids.js';
import { createVonageTokens } from '#telephony/carriers/vonage/vonage-token.js';
import { VonageEmulator } from '#test/support/emulators/vonage-emulator.js';
import { machineEvents } from '#test/support/emulators/vonage/machine-detection.js';
import { callbackToken } from '#test/support/emulators/vonage/tokens.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { signatureVectors, type SignatureVector } from '#test/support/signature-vectors/vectors.js';
import { openVonageRig } from './vonage-rig.js';

describe('the Vonage emulator', () => {
  it.each(signatureVectors('vonage').filter(({ genuine }) => genuine))('signs as in "$name"', (vector) => {
    const [, payload] = tokenOf(vector).split('.');
    const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as Record<string, string>;
    const token = callbackToken(
      {
        apiKey: claims['api_key']!,
        applicationId: claims['application_id']!,
        signatureSecret: vector.secret,
      },
      vector.body || JSON.stringify(Object.fromEntries(new URL(vector.url).searchParams)),
      { issuedAtMs: vector.signedAtSeconds! * 1000, id: claims['jti']! },
    );
    expect(token).toBe(tokenOf(vector));
  });

  it('believes a token once, of its application, in its time', async () => {
    const clock = new FakeClock();
    const emulator = await VonageEmulator.open({ clock });
    const ask = async (token: string) => {
      const authorization = `Bearer ${token}`;
      return (await fetch(`${emulator.url}/v1/calls/nobody`, { headers: { authorization } })).status;
    };
    const { privateKey, account } = emulator;
    const ids = createIds(clock);
    const tokensOf = (id: string) => createVonageTokens({ id, privateKey }, { clock, ids });
    const token = await tokensOf(account.applicationId)();
    const kept = await tokensOf(account.applicationId)();
    expect(await ask(token)).toBe(404);
    expect(await ask(token)).toBe(401);
    expect(await ask(await tokensOf('another')())).toBe(401);
    await clock.advance(6 * 60_000);
    expect(await ask(kept)).toBe(401);
    await emulator.close();
    expect(clock.armed).toBe(0);
  });

  it('hangs up on an NCCO that it cannot do, and says so', async () => {
    const rig = await openVonageRig();
    // More than fits among the headers of a socket.
    const parameters = { token: 'x'.repeat(600) };
    rig.host.instruct(async () => ({ url: 'wss://voice.example.com/ws/stream/agent_1', parameters }));
    const asked = { to: rig.numbers.answers, from: '+15550000000', ringTimeoutSeconds: 5 };
    const dialRef = 'dial_01kakb8x6te1tr7m3qf0c9w2zd';
    const sendBefore = Number.MAX_SAFE_INTEGER;
    await rig.carrier.place({ ...asked, dialRef, sendBefore }, new AbortController().signal);
    await rig.until(rig.host.reported(dialRef, 'completed'));
    expect(rig.emulator.log.complaints).toMatchObject([{ code: 400 }]);
  });

  it('tells of machines first, and of the end of their greeting', () => {
    expect(machineEvents({ kind: 'human' })).toMatchObject([{ status: 'human' }]);
    expect(machineEvents({ kind: 'machine', greetingMs: 4_000, beeps: true })).toMatchObject([
      { status: 'machine', afterMs: 2_500 },
      { sub_state: 'beep_start', afterMs: 4_000 },
    ]);
    expect(machineEvents({ kind: 'machine', greetingMs: 4_000, beeps: false })[1]).toMatchObject({
      sub_state: 'beep_timeout',
    });
  });
});

function tokenOf({ headers }: SignatureVector): string {
  return headers['authorization']!.slice('Bearer '.length);
}
