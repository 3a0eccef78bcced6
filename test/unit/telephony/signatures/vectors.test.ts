import fc from 'fast-check';
import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';
import { describe, expect, it } from 'vitest';
import { verifyJambonzSignature } from '#telephony/carriers/jambonz/jambonz-signature.js';
import { verifyPlivoSignature } from '#telephony/carriers/plivo/plivo-signature.js';
import { verifySignalwireSignature } from '#telephony/carriers/twilio/signalwire-signature.js';
import { readTelnyxPublicKey, verifyTelnyxSignature } from '#telephony/carriers/telnyx/telnyx-signature.js';
import { verifyTwilioSignature } from '#telephony/carriers/twilio/twilio-signature.js';
import type { Verdict } from '#telephony/port/verdict.js';
import { verifyVonageSignature } from '#telephony/carriers/vonage/vonage-signature.js';
import { honestVector, signatureVectors, vectorRequest } from '#test/support/signature-vectors/vectors.js';

/** Copies of a request with one bit of its body or signature header flipped. */
function spoiled(request: CarrierHttpRequest, header: string): fc.Arbitrary<CarrierHttpRequest> {
  const signature = Buffer.from(request.headers[header]!);
  const bit = (bytes: Buffer) => fc.nat(bytes.length * 8 - 1).map((at) => turned(bytes, at));
  const spoiledHeader = bit(signature)
    .map((bytes) => bytes.toString('latin1'))
    .map((text) => ({ ...request, headers: { ...request.headers, [header]: text } }));
  if (request.rawBody.length === 0) return spoiledHeader;
  return fc.oneof(
    spoiledHeader,
    bit(request.rawBody).map((rawBody) => ({ ...request, rawBody })),
  );
}

function turned(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}

const OTHER_PUBLIC_KEY = Buffer.alloc(32, 9).toString('base64');
const REFUSED = { genuine: false, replayKey: null };

/** How each scheme checks a request, what carries the signature, and a secret that has signed nothing. */
const SCHEMES: Record<
  'twilio' | 'signalwire' | 'telnyx' | 'plivo' | 'vonage' | 'jambonz',
  {
    header: string;
    verify: (request: CarrierHttpRequest, secrets: readonly string[]) => Verdict | Promise<Verdict>;
    timed: boolean;
    /** What of the header counts. */
    spelled: (signature: string) => string;
    otherSecret?: string;
  }
> = {
  twilio: { header: 'x-twilio-signature', verify: verifyTwilioSignature, timed: false, spelled: exactly },
  signalwire: {
    header: 'x-signalwire-signature',
    verify: verifySignalwireSignature,
    timed: false,
    spelled: exactly,
  },
  telnyx: {
    header: 'telnyx-signature-ed25519',
    verify: (request, keys) => verifyTelnyxSignature(request, keys.map(readTelnyxPublicKey)),
    timed: true,
    spelled: looseBytes,
    otherSecret: OTHER_PUBLIC_KEY,
  },
  plivo: { header: 'x-plivo-signature-v3', verify: verifyPlivoSignature, timed: false, spelled: exactly },
  vonage: {
    header: 'authorization',
    verify: (request, signatureSecrets) =>
      verifyVonageSignature(request, { signatureSecrets, apiKey: null, applicationId: null }),
    timed: true,
    spelled: looseBytes,
  },
  jambonz: { header: 'jambonz-signature', verify: verifyJambonzSignature, timed: true, spelled: exactly },
};
function exactly(signature: string): string {
  return signature;
}

const CARRIERS = Object.keys(SCHEMES) as (keyof typeof SCHEMES)[];

describe.each(CARRIERS)('signatures of %s', (carrier) => {
  const { header, verify, timed, spelled, otherSecret = 'another secret' } = SCHEMES[carrier];
  const honest = honestVector(carrier);

  it.each(signatureVectors(carrier))('$name: genuine is $genuine', async (vector) => {
    expect((await verify(vectorRequest(vector), [vector.secret])).genuine).toBe(vector.genuine);
  });

  it('are good with any of the secrets, and with no other, none or an empty one', async () => {
    const request = vectorRequest(honest);
    expect(await verify(request, [otherSecret, honest.secret])).toMatchObject({ genuine: true });
    expect(await verify(request, [honest.secret, otherSecret])).toMatchObject({ genuine: true });
    expect(await verify(request, [otherSecret])).toEqual(REFUSED);
    expect(await verify(request, [])).toEqual(REFUSED);
    if (carrier !== 'telnyx') expect(await verify(request, [''])).toEqual(REFUSED);
  });

  it('are missed where there is none', async () => {
    const { [header]: _signature, ...headers } = honest.headers;
    expect(await verify({ ...vectorRequest(honest), headers }, [honest.secret])).toEqual(REFUSED);
    expect(
      await verify({ ...vectorRequest(honest), headers: { ...headers, [header]: '' } }, [honest.secret]),
    ).toEqual(REFUSED);
  });

  it('do not outlive a bit that has changed', async () => {
    const request = vectorRequest(honest);
    await fc.assert(
      fc.asyncProperty(spoiled(request, header), async (changed) => {
        const [now, then] = [changed.headers[header]!, request.headers[header]!].map(spelled);
        const isSame = now === then;
        if (escapesOf(changed) === escapesOf(request) && isSame) return;
        expect(await verify(changed, [honest.secret])).toEqual(REFUSED);
      }),
      { numRuns: 300 },
    );
  });

  it('are refused, and do no harm, when all of the request is rubbish', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.uint8Array(),
        async (url, text, body) => {
          const headers = Object.fromEntries(Object.keys(honest.headers).map((name) => [name, text]));
          const request = { ...vectorRequest(honest), url, headers, rawBody: Buffer.from(body) };
          expect(await verify(request, [honest.secret])).toEqual(REFUSED);
        },
      ),
    );
  });

  it('are good for five minutes before and after, where the scheme has a time', async () => {
    for (const late of [-300, 0, 300])
      expect(await verify(vectorRequest(honest, late), [honest.secret])).toMatchObject({ genuine: true });
    for (const late of [-301, 301, 1e9])
      expect(await verify(vectorRequest(honest, late), [honest.secret])).toMatchObject({ genuine: !timed });
  });
});

/** A body whose escapes have one spelling: `%2b` is the same character as `%2B`. */
function escapesOf({ rawBody }: CarrierHttpRequest): string {
  return rawBody.toString('latin1').replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

/** Bytes as Telnyx and tokens write them: their base64 ends in bits that say nothing, and "Bearer" has no case. */
function looseBytes(signature: string): string {
  const parts = signature.replace(/^bearer /i, '').split('.');
  return parts.map((part) => Buffer.from(part, 'base64').toString('hex')).join('.');
}
