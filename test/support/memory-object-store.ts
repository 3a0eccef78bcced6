import { sleep, systemClock, type Clock } from '#kernel/time/clock.js';
import type { S3Settings } from '#object-storage/s3-settings.js';
import { S3Storage } from '#object-storage/s3-storage.js';
import type { Fetch } from '#outbound-http/fetch.js';
import { judgeSignature, type SignedRequest } from './object-signatures.js';
import type { Refusal } from './object-store.js';

/** An answer in the place of the storage's, one that never comes or is lost, or null: the storage answers. */
export type MemoryFault = Refusal | 'silent' | 'lost' | 'reset' | null;

interface StoredObject {
  bytes: Buffer;
  headers: Headers;
}

const SETTINGS: S3Settings = {
  endpoint: 'http://storage.test',
  region: 'eu-central-1',
  bucket: 'recordings',
  accessKeyId: 'AKIDOFTESTS',
  secretAccessKey: 'a-secret-of-tests',
  prefix: 'calls/',
  style: 'path',
  encryption: 'AES256',
};

/**
 * An object storage in the memory of the test, reached without a network: it verifies every signature with the library
 * of AWS, and knows as much of the S3 API as recordings need. For the real protocol there is `object-store.ts`.
 */
export class MemoryObjectStore {
  readonly objects = new Map<string, StoredObject>();
  /** Requests that were answered, such as `PUT calls/key`, with the query of parts. */
  readonly requests: string[] = [];
  fault: (request: { method: string; key: string }) => MemoryFault | Promise<MemoryFault> = () => null;
  secretAccessKey = SETTINGS.secretAccessKey;
  /** How long answers take. */
  latencyMs = 0;
  /** How far its clock is ahead of that of those who ask. */
  clockOffsetMs = 0;
  readonly #clock: Clock;
  readonly #uploads = new Map<string, Map<number, Buffer>>();
  readonly #headersOfUploads = new Map<string, Headers>();
  #begun = 0;
  /** Operations under way, and those of them that wait. */
  #asked = 0;
  #resting = 0;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** The storage as a process reaches it. */
  open(changes: Partial<S3Settings> = {}): S3Storage {
    const storage = new S3Storage({ ...SETTINGS, ...changes }, { fetch: this.fetch, clock: this.#clock });
    return new Proxy(storage, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.#counted(Reflect.apply(member, target, args) as unknown);
      },
    });
  }

  /** Whether something is being signed, verified or stored: not while that waits for the clock or the test. */
  get isAtWork(): boolean {
    return this.#asked > this.#resting;
  }

  #counted(result: unknown): unknown {
    if (!(result instanceof Promise)) return result;
    this.#asked += 1;
    return result.finally(() => (this.#asked -= 1));
  }

  async #rest<Result>(until: Promise<Result>): Promise<Result> {
    this.#resting += 1;
    return until.finally(() => (this.#resting -= 1));
  }

  /** The keys without the prefix, in order. */
  get keys(): string[] {
    return [...this.objects.keys()].map((key) => key.slice(SETTINGS.prefix.length)).sort();
  }

  bytesOf(fileName: string): Buffer {
    return this.objects.get(`${SETTINGS.prefix}${fileName}`)!.bytes;
  }

  readonly fetch: Fetch = async (input, init = {}) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = Buffer.from((init.body as Uint8Array | undefined) ?? []);
    const { method } = request;
    const headers = { ...Object.fromEntries(new Headers(init.headers)), host: url.host };
    const key = keyOf(url);
    if (this.latencyMs > 0) await this.#rest(sleep(this.#clock, this.latencyMs));
    const told = this.fault({ method, key });
    const fault = told instanceof Promise ? await this.#rest(told) : told;
    if (fault === 'silent') return this.#rest(new Promise(() => {}));
    if (fault === 'reset') throw new TypeError('fetch failed');
    const signed: SignedRequest = { method, url: `${url.pathname}${url.search}`, headers };
    const refusal = fault !== null && fault !== 'lost' ? fault : await this.#judge(signed, body);
    if (refusal) return new Response(errorOf(refusal.code), { status: refusal.status });
    this.requests.push(`${method} ${key}${queryOf(url)}`);
    const answer = this.#answer({ method, key, query: url.searchParams, headers: request.headers, body });
    if (fault === 'lost') throw new TypeError('fetch failed');
    return answer;
  };

  #judge(signed: SignedRequest, body: Buffer): Promise<Refusal | null> {
    const { accessKeyId } = SETTINGS;
    const { secretAccessKey } = this;
    const now = () => this.#clock.wallMs() + this.clockOffsetMs;
    return judgeSignature(signed, body, { accessKeyId, secretAccessKey, now });
  }

  #answer(asked: {
    method: string;
    key: string;
    query: URLSearchParams;
    headers: Headers;
    body: Buffer;
  }): Response {
    const { method, key, query, headers, body } = asked;
    const uploadId = query.get('uploadId');
    if (query.has('uploads')) return this.#begin(headers);
    if (uploadId !== null) return this.#ofUpload(uploadId, asked);
    if (method === 'PUT') {
      this.objects.set(key, { bytes: body, headers });
      return new Response(null, { status: 200, headers: { etag: '"tag"' } });
    }
    const stored = this.objects.get(key);
    if (method === 'DELETE') {
      this.objects.delete(key);
      return new Response(null, { status: 204 });
    }
    if (!stored) return new Response(method === 'HEAD' ? null : errorOf('NoSuchKey'), { status: 404 });
    return sent(stored.bytes, { isHead: method === 'HEAD', range: headers.get('range') });
  }

  #begin(headers: Headers): Response {
    const uploadId = `upload-${++this.#begun}`;
    this.#uploads.set(uploadId, new Map());
    this.#headersOfUploads.set(uploadId, headers);
    return new Response(`<R><UploadId>${uploadId}</UploadId></R>`);
  }

  #ofUpload(
    uploadId: string,
    { method, key, query, body }: { method: string; key: string; query: URLSearchParams; body: Buffer },
  ): Response {
    const parts = this.#uploads.get(uploadId);
    if (!parts) return new Response(errorOf('NoSuchUpload'), { status: 404 });
    if (method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body);
      return new Response(null, { status: 200, headers: { etag: `"${query.get('partNumber')}"` } });
    }
    this.#uploads.delete(uploadId);
    if (method === 'DELETE') return new Response(null, { status: 204 });
    const inOrder = [...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
    this.objects.set(key, { bytes: Buffer.concat(inOrder), headers: this.#headersOfUploads.get(uploadId)! });
    return new Response('<R><ETag>"whole"</ETag></R>');
  }
}

function keyOf({ hostname, pathname }: URL): string {
  const path = decodeURIComponent(pathname).slice(1);
  return hostname.startsWith(`${SETTINGS.bucket}.`) ? path : path.slice(SETTINGS.bucket.length + 1);
}

function queryOf({ searchParams }: URL): string {
  const number = searchParams.get('partNumber');
  return number === null ? '' : `?partNumber=${number}`;
}

function errorOf(code: string): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;
}

function sent(bytes: Buffer, { isHead, range }: { isHead: boolean; range: string | null }): Response {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  const part = first === undefined ? bytes : bytes.subarray(Number(first), Number(last) + 1);
  const headers = {
    'content-length': String(part.byteLength),
    ...(first !== undefined && { 'content-range': `bytes ${first}-${last}/${bytes.byteLength}` }),
  };
  const status = first === undefined ? 200 : 206;
  return new Response(isHead ? null : new Uint8Array(part), { status, headers });
}
