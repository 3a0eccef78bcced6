import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { WebhookResponse } from '@jambonz/sdk/webhook';
import { tokenGenerate, verifySignature as isSignedToken } from '@vonage/jwt';
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import Telnyx from 'telnyx';
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { verifyJambonzSignature } from '#telephony/carriers/jambonz/jambonz-signature.js';
import { readTelnyxPublicKey, verifyTelnyxSignature } from '#telephony/carriers/telnyx/telnyx-signature.js';
import { verifyTwilioSignature } from '#telephony/carriers/twilio/twilio-signature.js';
import { verifyVonageSignature } from '#telephony/carriers/vonage/vonage-signature.js';
import { createVonageTokens } from '#telephony/carriers/vonage/vonage-token.js';
import { carrierRequest } from '#test/support/carrier-request.js';
import { signatureOf as jambonzSignatureOf } from '#test/support/emulators/jambonz/hooks.js';
import { SignedSender } from '#test/support/emulators/telnyx/signed-sender.js';
import { signatureOf as twilioSignatureOf } from '#test/support/emulators/twilio/signature.js';
import { badApplicationToken, callbackToken } from '#test/support/emulators/vonage/tokens.js';
import type { OutgoingRequest } from '#test/support/emulators/webhook-sender.js';

// The libraries look at the real time.
const nowMs = () => systemClock.wallMs();
const SECRET = 'a secret of thirty-two bytes, or more';
const body = fc.json().filter((text) => text.length > 2);

/** A token with one character of its signature exchanged. */
function spoiled(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
}

/** A text, itself or with its first character exchanged. */
function maybeChanged(text: string, isChanged: boolean): string {
  return isChanged ? `~${text.slice(1)}` : text;
}

describe('Twilio’s library', () => {
  const fields = fc.array(
    fc.tuple(fc.constantFrom('From', 'to', 'a', 'A'), fc.string({ unit: 'grapheme' })),
    { maxLength: 5 },
  );

  it('believes what its emulator signs, as we do, and neither believes it with one field more', () => {
    fc.assert(
      fc.property(fields, fc.boolean(), (sent, isForged) => {
        const url = 'https://calls.test/webhook/twilio/status?ref=1';
        const signature = twilioSignatureOf(SECRET, url, new URLSearchParams(sent));
        const received = new URLSearchParams(isForged ? [...sent, ['Digits', '1']] : sent);
        const grouped = Object.fromEntries([...received.keys()].map((name) => [name, received.getAll(name)]));
        expect(validateRequest(SECRET, signature, url, grouped)).toBe(!isForged);
        const headers = {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': signature,
        };
        const request = carrierRequest({ url, body: received.toString(), headers });
        expect(verifyTwilioSignature(request, [SECRET]).genuine).toBe(!isForged);
      }),
    );
  });
});

describe('Vonage’s library', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const applicationId = 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab';
  const parts = { clock: systemClock, ids: createIds(systemClock) };

  it('makes tokens for requests that say what ours say, and believes ours', async () => {
    const ours = await createVonageTokens({ id: applicationId, privateKey }, parts)();
    const theirs = tokenGenerate(applicationId, privateKey);
    expect(isSignedToken(ours, publicKey)).toBe(true);
    expect(isSignedToken(spoiled(ours), publicKey)).toBe(false);
    expect(decodeProtectedHeader(ours)).toEqual(decodeProtectedHeader(theirs));
    expect(Object.keys(decodeJwt(ours)).sort()).toEqual(Object.keys(decodeJwt(theirs)).sort());
    expect(decodeJwt(ours)['application_id']).toBe(applicationId);
  });

  it('makes tokens that its emulator takes', () => {
    const key = { publicKey, applicationId, nowMs: nowMs(), usedIds: new Set<string>() };
    const expected = { ...key, publicKey: createPublicKey(publicKey) };
    const token = tokenGenerate(applicationId, privateKey);
    expect(badApplicationToken(`Bearer ${token}`, expected)).toBeNull();
    expect(badApplicationToken(`Bearer ${spoiled(token)}`, expected)).toBe('not signed by the application');
  });

  it('believes what its emulator signs, as we do, and neither believes it spoiled', async () => {
    const account = { apiKey: 'a1b2c3d', applicationId, signatureSecret: SECRET };
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (payload, isSpoiled) => {
        const signed = callbackToken(account, payload, { issuedAtMs: nowMs() });
        const token = isSpoiled ? spoiled(signed) : signed;
        expect(isSignedToken(token, SECRET)).toBe(!isSpoiled);
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
        const request = carrierRequest({ body: payload, headers, receivedAt: nowMs() });
        const known = { signatureSecrets: [SECRET], apiKey: account.apiKey, applicationId };
        expect((await verifyVonageSignature(request, known)).genuine).toBe(!isSpoiled);
      }),
    );
  });
});

describe('Telnyx’s library, whose Ed25519 is TweetNaCl’s', () => {
  const { webhooks } = new Telnyx('no key is needed for this');

  it('believes what its emulator signs, as we do, and neither believes it changed', async () => {
    const sent: OutgoingRequest[] = [];
    const sender = new SignedSender(systemClock, {
      async send(request) {
        sent.push(request);
        return { status: 200, contentType: '', body: '' };
      },
    });
    const publicKey = Buffer.from(sender.publicKey, 'base64');
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom('nothing', 'body', 'signature'), async (event, changed) => {
        await sender.send('https://calls.test/webhook/telnyx/status', 'application/json', event);
        const { headers } = sent.pop()!;
        const received = maybeChanged(event, changed === 'body');
        const signature = Buffer.from(headers['telnyx-signature-ed25519']!, 'base64');
        if (changed === 'signature') signature[0]! ^= 1;
        const verdict = () =>
          webhooks.signature.verifySignature(
            received,
            signature,
            headers['telnyx-timestamp']!,
            publicKey,
            300,
          );
        if (changed === 'nothing') expect(verdict()).toBe(true);
        else expect(verdict).toThrow('Signature is invalid');
        const request = carrierRequest({
          body: received,
          headers: { ...headers, 'telnyx-signature-ed25519': signature.toString('base64') },
          receivedAt: nowMs(),
        });
        const ours = verifyTelnyxSignature(request, [readTelnyxPublicKey(sender.publicKey)]);
        expect(ours.genuine).toBe(changed === 'nothing');
      }),
      // It takes its time.
      { numRuns: 30 },
    );
  });
});

describe('jambonz’ library', () => {
  /** Whether it lets a request pass. */
  function passes(header: string, received: string): boolean {
    let error: Error | undefined;
    const message = new IncomingMessage(new Socket());
    message.headers['jambonz-signature'] = header;
    const request = Object.assign(message, { body: received });
    WebhookResponse.verifySignature(SECRET)(request, new ServerResponse(message), (refusal) => {
      error = refusal;
    });
    return error === undefined;
  }

  it('believes exactly what we believe of its emulator: what is unchanged, and five minutes old at most', () => {
    const ages = fc.constantFrom(0, 290, -290, 310, -310);
    const changes = fc.constantFrom('nothing', 'body', 'signature');
    fc.assert(
      fc.property(body, ages, changes, (event, ageSeconds, changed) => {
        const signed = jambonzSignatureOf(SECRET, Math.floor(nowMs() / 1000) - ageSeconds, event);
        const header = changed === 'signature' ? `${signed.slice(0, -1)}~` : signed;
        const received = maybeChanged(event, changed === 'body');
        const isGood = changed === 'nothing' && Math.abs(ageSeconds) < 300;
        expect(passes(header, received)).toBe(isGood);
        const headers = { 'content-type': 'application/json', 'jambonz-signature': header };
        const request = carrierRequest({ body: received, headers, receivedAt: nowMs() });
        expect(verifyJambonzSignature(request, [SECRET]).genuine).toBe(isGood);
      }),
    );
  });
});
