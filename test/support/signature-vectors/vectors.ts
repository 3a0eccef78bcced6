import { readFileSync } from 'node:fs';
import { carrierRequest } from '#test/support/carrier-request.js';

/** A signed request, checked against the carrier's official library, and whether it is to be believed. */
export interface SignatureVector {
  name: string;
  genuine: boolean;
  /** What it is checked with: a secret, or a public key. */
  secret: string;
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Where the scheme has a time: Unix seconds. */
  signedAtSeconds?: number;
}

/** How Plivo writes an address and fields before it signs them, with each method. */
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

/** The request of a vector, as it comes in `lateBySeconds` after it was signed. */
export function vectorRequest(vector: SignatureVector, lateBySeconds = 0) {
  const { method, url, headers, body, signedAtSeconds = 1_700_000_000 } = vector;
  return carrierRequest({ method, url, headers, body, receivedAt: (signedAtSeconds + lateBySeconds) * 1000 });
}

/** The first vector of a carrier: an honest one, to spoil. */
export function honestVector(carrier: Carrier): SignatureVector {
  return signatureVectors(carrier)[0]!;
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}
