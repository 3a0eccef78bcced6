import type { S3Settings } from '#object-storage/s3-settings.js';
import type { Settings } from './settings.js';

// Reads the settings of the object storage of recordings, for `deriveConfig`.

/** The configured object storage of recordings. */
export interface ObjectStorageConfig extends S3Settings {
  /** True if clients can reach the storage: they read recordings from it by signed URLs. */
  isPublic: boolean;
  /** From so many bytes of recordings that wait on the disk for their upload, new calls are not recorded. */
  mostWaitingBytes: number;
}

const MEGABYTE = 1_000_000;
const REQUIRED = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** The names of the required settings that are not set. */
export function missingForObjectStorage(settings: Settings): string[] {
  return REQUIRED.filter((name) => settings[name] === null);
}

/** The configuration of the object storage; null if a required setting is missing. */
export function objectStorageOf(settings: Settings): ObjectStorageConfig | null {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_PREFIX: prefix,
  } = settings;
  if (endpoint === null || bucket === null || accessKeyId === null || secretAccessKey === null) return null;
  return {
    endpoint,
    region: settings.S3_REGION,
    bucket,
    accessKeyId,
    secretAccessKey,
    prefix: prefix === null || prefix.endsWith('/') ? (prefix ?? '') : `${prefix}/`,
    style: settings.S3_STYLE,
    encryption: settings.S3_ENCRYPTION,
    isPublic: settings.S3_PUBLIC,
    mostWaitingBytes: settings.S3_MAX_WAITING_MB * MEGABYTE,
  };
}

/** The warning about an object storage that is wanted or partly configured, but not complete; else an empty list. */
export function objectStorageWarnings(settings: Settings): string[] {
  const missing = missingForObjectStorage(settings);
  const isWanted = settings.RECORD_STORAGE === 's3' || missing.length < REQUIRED.length;
  if (missing.length === 0 || !isWanted) return [];
  return [`object storage is not set up, recordings stay in DATA_DIR: ${missing.join(', ')} is missing`];
}
