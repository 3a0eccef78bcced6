/** Why a request to the storage failed, in terms of its configuration. */
export type StorageFailure =
  /** No answer: a wrong endpoint, a network failure, or a storage that is down. */
  | 'unreachable'
  /** The key is refused: wrong, revoked, or without permission. */
  | 'forbidden'
  /** The storage reports that this machine's clock is wrong. */
  | 'clock'
  | 'not_found'
  /** The storage is full, or a quota is exceeded. */
  | 'full'
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

/** Bytes of an object, for the answer to an HTTP client. */
export interface StoredBytes {
  /** 200, 206, or 416. */
  status: number;
  /** `content-length`, `content-range`, `etag`, `last-modified`, `accept-ranges`, if the storage sends them. */
  headers: Readonly<Record<string, string>>;
  body: ReadableStream<Uint8Array> | null;
}

/** External storage of files by key. Every method rejects with a {@link StorageError}. */
export interface ObjectStorage {
  /** The key of a file: the configured prefix and its name. */
  keyOf(fileName: string): string;
  /**
   * Stores a file; the storage verifies its bytes. A repeated upload replaces the object.
   * @param onProgress called after each part with the bytes stored so far; a rejection stops the upload
   */
  upload(key: string, path: string, onProgress: (storedBytes: number) => Promise<void>): Promise<void>;
  /** Stores some bytes at once; the storage verifies them. Storing once more replaces the object. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @param range the `Range` header of the client, where it sent one */
  read(key: string, range?: string): Promise<StoredBytes>;
  /** Size in bytes; null if the object does not exist. */
  sizeOf(key: string): Promise<number | null>;
  /** Deletes an object; no error if it does not exist. */
  remove(key: string): Promise<void>;
  /** A URL from which anyone may read the object. @param attachment the file name for saving */
  signedAddress(key: string, options: { seconds: number; attachment?: string }): Promise<string>;
  /** Writes, reads and deletes a small object. */
  probe(): Promise<void>;
}
