import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { Clock } from '#kernel/time/clock.js';
import type { Fetch } from '#outbound-http/fetch.js';
import { StorageError, type ObjectStorage, type StoredBytes } from './object-storage.js';
import { storageErrorOf, elementText } from './s3-answers.js';
import type { S3Settings } from './s3-settings.js';
import { S3Signer } from './s3-signer.js';

/** Larger files are uploaded in parts of this size (8 MiB). S3 accepts up to 10,000 parts of at least 5 MiB. */
export const PART_BYTES = 8 * 1024 * 1024;
/** The headers of an answer that are passed on to an HTTP client. */
const FORWARDED_HEADERS = ['content-length', 'content-range', 'etag', 'last-modified', 'accept-ranges'];
const RECORDING_TYPE = 'audio/wav';
/** The object that `probe` writes, reads and deletes. */
const PROBE_FILE = 'callwright-probe';
const PROBE_BYTES = new TextEncoder().encode('callwright');

/** A request for an object of the bucket, before it is signed. */
interface S3Request {
  method: string;
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/**
 * An object storage with the S3 API (Amazon S3 API Reference, 2006-03-01): Amazon S3, MinIO and others. Opened by
 * `openObjectStorage` if the settings name a bucket.
 */
export class S3Storage implements ObjectStorage {
  readonly #settings: S3Settings;
  readonly #signer: S3Signer;
  readonly #fetch: Fetch;

  constructor(settings: S3Settings, { fetch, clock }: { fetch: Fetch; clock: Clock }) {
    this.#settings = settings;
    this.#signer = new S3Signer(settings, clock);
    this.#fetch = fetch;
  }

  keyOf(fileName: string): string {
    return `${this.#settings.prefix}${fileName}`;
  }

  async upload(key: string, path: string, onProgress: (storedBytes: number) => Promise<void>): Promise<void> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size <= PART_BYTES) {
        await this.#put(key, await readPart(file, 0, size), RECORDING_TYPE);
        await onProgress(size);
      } else {
        await this.#uploadParts(key, { file, size }, onProgress);
      }
      const stored = await this.sizeOf(key);
      if (stored !== size) throw new StorageError('refused', `the storage holds ${stored} of ${size} bytes`);
    } finally {
      await file.close();
    }
  }

  put(key: string, bytes: Uint8Array): Promise<void> {
    return this.#put(key, bytes, 'application/octet-stream');
  }

  async read(key: string, range?: string): Promise<StoredBytes> {
    const headers: Record<string, string> = range === undefined ? {} : { range };
    // 416 (a range beyond the end) goes to the HTTP client, as a success does.
    const answer = await this.#send({ method: 'GET', key, headers }, [416]);
    const forwarded = FORWARDED_HEADERS.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { status: answer.status, headers: Object.fromEntries(forwarded), body: answer.body };
  }

  async sizeOf(key: string): Promise<number | null> {
    const answer = await this.#send({ method: 'HEAD', key }, [404]);
    await answer.body?.cancel();
    return answer.status === 404 ? null : Number(answer.headers.get('content-length'));
  }

  async remove(key: string): Promise<void> {
    const answer = await this.#send({ method: 'DELETE', key }, [404]);
    await answer.body?.cancel();
  }

  signedAddress(key: string, options: { seconds: number; attachment?: string }): Promise<string> {
    return this.#signer.signAddress(key, options);
  }

  async probe(): Promise<void> {
    const key = this.keyOf(PROBE_FILE);
    await this.put(key, PROBE_BYTES);
    const { body } = await this.read(key);
    const read = new Uint8Array(await new Response(body).arrayBuffer());
    await this.remove(key);
    if (Buffer.compare(read, PROBE_BYTES) !== 0)
      throw new StorageError('refused', 'the storage gave back other bytes than it was given');
  }

  async #put(key: string, body: Uint8Array, type: string): Promise<void> {
    const answer = await this.#send({ method: 'PUT', key, headers: this.#headersOfObject(type), body });
    await answer.body?.cancel();
  }

  /** Uploads a large file in parts (multipart upload); aborts the upload if a part fails. */
  async #uploadParts(
    key: string,
    { file, size }: { file: FileHandle; size: number },
    onProgress: (storedBytes: number) => Promise<void>,
  ): Promise<void> {
    const headers = this.#headersOfObject(RECORDING_TYPE);
    const beginning = await this.#send({ method: 'POST', key, query: { uploads: '' }, headers });
    const uploadId = elementText(await beginning.text(), 'UploadId');
    if (uploadId === null) throw new StorageError('refused', 'the storage began no upload');
    try {
      const tags: string[] = [];
      for (let offset = 0; offset < size; offset += PART_BYTES) {
        const body = await readPart(file, offset, Math.min(PART_BYTES, size - offset));
        const query = { partNumber: String(tags.length + 1), uploadId };
        const answer = await this.#send({ method: 'PUT', key, query, body });
        await answer.body?.cancel();
        tags.push(answer.headers.get('etag') ?? '');
        await onProgress(offset + body.byteLength);
      }
      await this.#completeParts(key, uploadId, tags);
    } catch (error) {
      // The provider charges for an unfinished upload until it is aborted. Aborting may fail, too.
      await this.#send({ method: 'DELETE', key, query: { uploadId } }, [404]).catch(() => {});
      throw error;
    }
  }

  /** Joins the uploaded parts into an object. @param tags the ETags of the parts, in order */
  async #completeParts(key: string, uploadId: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = new TextEncoder().encode(
      `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
    );
    const answer = await this.#send({ method: 'POST', key, query: { uploadId }, body });
    // S3 may answer 200 before it has joined the parts: a later failure is an error in the body (API Reference).
    const text = await answer.text();
    if (elementText(text, 'ETag') === null) throw storageErrorOf(answer.status, text);
  }

  /** The headers of a new object. */
  #headersOfObject(type: string): Record<string, string> {
    const { encryption } = this.#settings;
    return {
      'content-type': type,
      ...(encryption !== null && { 'x-amz-server-side-encryption': encryption }),
    };
  }

  /**
   * Sends a signed request.
   * @param expected unsuccessful statuses that the caller handles
   * @throws StorageError for any other unsuccessful answer, or none
   */
  async #send(request: S3Request, expected: readonly number[] = []): Promise<Response> {
    const { url, headers } = await this.#signer.sign(request, hashOf(request.body));
    const answer = await this.#fetch(url, {
      method: request.method,
      headers,
      ...(request.body && { body: request.body as Uint8Array<ArrayBuffer> }),
    }).catch((error: unknown) => {
      throw new StorageError('unreachable', `the storage cannot be reached: ${causeOf(error)}`);
    });
    if (answer.ok || expected.includes(answer.status)) return answer;
    throw storageErrorOf(answer.status, await answer.text());
  }
}

/** Reads a part of a file. @throws Error if the file became shorter */
async function readPart(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const part = new Uint8Array(length);
  const { bytesRead } = await file.read(part, 0, length, offset);
  if (bytesRead !== length) throw new Error('the file became shorter while it was uploaded');
  return part;
}

/** The hash of a body (hex). It is part of the signature, so that the storage refuses corrupted bytes. */
function hashOf(body: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(body ?? new Uint8Array())
    .digest('hex');
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : 'no answer';
}
