/** Why a request to the storage failed, as people who set it up need to know it. */
export type StorageFailure =
  /** No answer: a wrong endpoint, a network, a storage that is down. */
  | 'unreachable'
  /** The key is refused: wrong, revoked, or without the right to do this. */
  | 'forbidden'
  /** The storage says that our clock is wrong. */
  | 'clock'
  | 'not_found'
  /** The storage takes no more: a quota or a full disk. */
  | 'full'
  | 'refused';

/** A request to the storage that failed. Its message names neither keys nor signed addresses. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly failure: StorageFailure;

  constructor(failure: StorageFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** Bytes of an object as an HTTP client asks for them. */
export interface StoredBytes {
  /** 200, 206, or 416. */
  status: number;
  /** `content-length`, `content-range`, `etag`, `last-modified`, `accept-ranges`, as far as the storage sends them. */
  headers: Readonly<Record<string, string>>;
  body: ReadableStream<Uint8Array> | null;
}

/** Storage of files by keys, outside of this machine. Every method rejects with a {@link StorageError}. */
export interface ObjectStorage {
  /** The key under which a file is kept: its name behind the prefix of the settings. */
  keyOf(fileName: string): string;
  /**
   * Stores a file; the storage verifies its bytes. Uploading once more replaces the object.
   * @param onProgress after each part, with the bytes that are stored; may reject to stop
   */
  upload(key: string, path: string, onProgress: (storedBytes: number) => Promise<void>): Promise<void>;
  /** @param range the `Range` header of the client, where it sent one */
  read(key: string, range?: string): Promise<StoredBytes>;
  /** Size in bytes; null where there is no such object. */
  sizeOf(key: string): Promise<number | null>;
  /** Deletes an object; one that is not there is as good as deleted. */
  remove(key: string): Promise<void>;
  /** An address that anyone may read the object from. @param attachment the name to save it as */
  signedAddress(key: string, options: { seconds: number; attachment?: string }): Promise<string>;
  /** Writes, reads and deletes a small object. */
  probe(): Promise<void>;
}
