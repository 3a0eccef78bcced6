import { readFileSync } from 'node:fs';
import { carrierRequest } from '#test/support/carrier-request.js';

/** A signed request, verified with the carrier's official library, and the expected verdict. */
export interface SignatureVector {
  name: string;
  genuine: boolean;
  /** The key for verification: a secret, or a public key. */
  secret: string;
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Unix seconds, for schemes with a time. */
  signedAtSeconds?: number;
}

/** Plivo's canonical form of URL and fields before signing, for each method. */
export interface PlivoCanonicalVector {
  url: string;
  fields: [name: string, value: string][];
  post: string;
  get: string;
}

type Carrier = 'twilio' | 'signalwire' | 'telnyx' | 'plivo' | 'vonage' | 'jambonz';

export function signatureVectors(carrier: Carrier): SignatureVector[] {
  return read(`${carrier}.json`) as SignatureVector[];
}

export function plivoCanonicalVectors(): PlivoCanonicalVector[] {
  return read('plivo-canonical.json') as PlivoCanonicalVector[];
}

/** The request of a vector, received `lateBySeconds` after signing. */
export function vectorRequest(vector: SignatureVector, lateBySeconds = 0) {
  const { method, url, headers, body, signedAtSeconds = 1_700_000_000 } = vector;
  return carrierRequest({ method, url, headers, body, receivedAt: (signedAtSeconds + lateBySeconds) * 1000 });
}

/** The first, genuine vector of a carrier, for modifications. */
export function honestVector(carrier: Carrier): SignatureVector {
  return signatureVectors(carrier)[0]!;
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}
