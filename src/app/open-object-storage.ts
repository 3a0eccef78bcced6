import type { Config } from '#config/config.js';
import type { Clock } from '#kernel/time/clock.js';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import { S3Storage } from '#object-storage/s3-storage.js';
import { createFetch } from '#outbound-http/fetch.js';
import { openHttpPool } from '#outbound-http/pool.js';

/** The timeout without a byte of an answer: uploading a part, or completing a large upload, may take long. */
const SILENCE_TIMEOUT_MS = 60_000;

/** The object storage (null if none is configured), with its connections, which the caller closes. */
export interface OpenedStorage {
  storage: ObjectStorage | null;
  close(): Promise<void>;
}

/** Opens the S3 storage of recordings, if it is configured, for the service and for commands. */
export function openObjectStorage(config: Config, { clock }: { clock: Clock }): OpenedStorage {
  if (config.objectStorage === null) return { storage: null, close: async () => {} };
  const pool = openHttpPool({ clock, silenceTimeoutMs: SILENCE_TIMEOUT_MS });
  return {
    storage: new S3Storage(config.objectStorage, { fetch: createFetch({ pool }), clock }),
    close: () => pool.close(),
  };
}
