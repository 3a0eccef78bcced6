import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Refusal } from './object-store.js';

const MOST_SKEW_MS = 15 * 60_000;

/** As much of a request as its signature covers. */
export type SignedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  /** The storage's time (epoch milliseconds). */
  now(): number;
}

/**
 * Why S3 would refuse a request: a missing or wrong signature, a wrong time, or a different body. The expected
 * signature comes from AWS's library.
 */
export async function judgeSignature(
  request: SignedRequest,
  body: Buffer,
  keys: Keys,
): Promise<Refusal | null> {
  const url = new URL(request.url!, `http://${request.headers.host}`);
  const query = Object.fromEntries(url.searchParams);
  return query['X-Amz-Signature'] === undefined
    ? judgeHeader({ request, body, url, query }, keys)
    : judgeAddress({ request, url, query }, keys);
}

interface Judged {
  request: SignedRequest;
  url: URL;
  query: Record<string, string>;
}

async function judgeHeader(
  { request, body, url, query }: Judged & { body: Buffer },
  keys: Keys,
): Promise<Refusal | null> {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d+\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, id, region, signedHeaders, signature] = form.exec(request.headers.authorization ?? '') ?? [];
  if (id === undefined) return { status: 403, code: 'AccessDenied' };
  if (id !== keys.accessKeyId) return { status: 403, code: 'InvalidAccessKeyId' };
  const at = instantOf(String(request.headers['x-amz-date']));
  if (Math.abs(keys.now() - at.getTime()) > MOST_SKEW_MS)
    return { status: 403, code: 'RequestTimeTooSkewed' };
  const hash = createHash('sha256').update(body).digest('hex');
  if (request.headers['x-amz-content-sha256'] !== hash)
    return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  const headers = Object.fromEntries(
    signedHeaders!.split(';').map((name) => [name, String(request.headers[name])]),
  );
  const signed = await signerOf(keys, region!).sign(requestOf(request, url, { query, headers }), {
    signingDate: at,
  });
  return signed.headers['authorization']!.endsWith(`Signature=${signature}`) ? null : mismatch;
}

async function judgeAddress({ request, url, query }: Judged, keys: Keys): Promise<Refusal | null> {
  const { 'X-Amz-Signature': signature, 'X-Amz-Credential': credential, ...others } = query;
  const at = instantOf(others['X-Amz-Date']!);
  const seconds = Number(others['X-Amz-Expires']);
  if (keys.now() > at.getTime() + seconds * 1_000) return { status: 403, code: 'AccessDenied' };
  const own = Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith('X-Amz-')));
  // The library reads the body's hash here, which a signed URL cannot contain; it is not signed.
  const unsigned = new Set(['x-amz-content-sha256']);
  const headers = { host: request.headers.host!, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const signed = await signerOf(keys, credential!.split('/')[2]!).presign(
    requestOf(request, url, { query: own, headers }),
    { signingDate: at, expiresIn: seconds, unsignableHeaders: unsigned, unhoistableHeaders: unsigned },
  );
  return signed.query?.['X-Amz-Signature'] === signature ? null : mismatch;
}

const mismatch: Refusal = { status: 403, code: 'SignatureDoesNotMatch' };

function signerOf(credentials: Keys, region: string): SignatureV4 {
  return new SignatureV4({
    credentials,
    region,
    service: 's3',
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
}

function requestOf(
  { method }: SignedRequest,
  { hostname, pathname }: URL,
  { query, headers }: { query: Record<string, string>; headers: Record<string, string> },
): HttpRequest {
  return new HttpRequest({ method: method!, hostname, path: pathname, query, headers });
}

/** Parses `20261128T030000Z`. */
function instantOf(text: string): Date {
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
