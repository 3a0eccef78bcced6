/**
 * The port of external file storage, in which recordings can be kept. Implemented by `S3Storage`; the calls module
 * uploads recordings to it and reads them from it.
 */

/** Why a request to the storage failed, in terms of what the operator has to correct. */
export type StorageFailure =
  /** No answer: a wrong endpoint, a network failure, or a storage that is down. */
  | 'unreachable'
  /** The key is refused: wrong, revoked, or without permission. */
  | 'forbidden'
  /** The storage reports that this machine's clock is wrong. */
  | 'clock'
  /** The object or the bucket does not exist. */
  | 'not_found'
  /** The storage is full, or a quota is exceeded. */
  | 'full'
  /** Any other refusal, or bytes that were stored incorrectly. */
  | 'refused';

/** A failed request to the storage. Its message contains neither keys nor signed addresses. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly failure: StorageFailure;

  constructor(failure: StorageFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** The bytes of an object, as the answer to an HTTP client. */
export interface StoredBytes {
  /** The HTTP status: 200, 206 (a range), or 416 (an impossible range). */
  status: number;
  /** `content-length`, `content-range`, `etag`, `last-modified`, `accept-ranges`, if the storage sends them. */
  headers: Readonly<Record<string, string>>;
  body: ReadableStream<Uint8Array> | null;
}

/** An external storage of files by key (port). A failed request rejects with a {@link StorageError}. */
export interface ObjectStorage {
  /** The key of a file: the configured prefix and the file's name. */
  keyOf(fileName: string): string;
  /**
   * Stores a file of the disk; the storage verifies its bytes. A repeated upload replaces the object.
   * @param onProgress called after each part with the bytes stored so far; a rejection stops the upload
   * @throws StorageError, the file system's error, or that of `onProgress`
   */
  upload(key: string, path: string, onProgress: (storedBytes: number) => Promise<void>): Promise<void>;
  /** Stores some bytes in one request; the storage verifies them. A repeated upload replaces the object. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Reads an object. @param range the `Range` header of an HTTP client, if it sent one */
  read(key: string, range?: string): Promise<StoredBytes>;
  /** The size of an object in bytes; null if it does not exist. */
  sizeOf(key: string): Promise<number | null>;
  /** Deletes an object; no error if it does not exist. */
  remove(key: string): Promise<void>;
  /**
   * A URL with which any client can read the object for `options.seconds`, without a key.
   * @param options.attachment the file name under which a browser saves it
   */
  signedAddress(key: string, options: { seconds: number; attachment?: string }): Promise<string>;
  /** Checks the configuration by writing, reading and deleting a small object; rejects if one of these fails. */
  probe(): Promise<void>;
}
