import { XMLParser } from 'fast-xml-parser';
import { StorageError, type StorageFailure } from './object-storage.js';

/* Reads the XML answers of S3-compatible storages, for `S3Storage`. */

/** Error codes of S3 (API Reference, "Error responses") and MinIO that are more specific than the HTTP status. */
const FAILURES: Readonly<Record<string, StorageFailure>> = {
  RequestTimeTooSkewed: 'clock',
  RequestExpired: 'clock',
  NoSuchKey: 'not_found',
  NoSuchBucket: 'not_found',
  QuotaExceeded: 'full',
  XMinioStorageFull: 'full',
  InsufficientStorage: 'full',
};

const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false });

/** The text of an element directly below the root of an answer; null if there is none. */
export function elementText(xml: string, element: string): string | null {
  try {
    for (const root of Object.values(parser.parse(xml) as Record<string, Record<string, unknown>>)) {
      const text = root?.[element];
      if (typeof text === 'string') return text;
    }
  } catch {
    // An answer that is no XML comes from a proxy: it has no element.
  }
  return null;
}

/** The error for an unsuccessful answer: by its error code if that is known, else by its status. */
export function storageErrorOf(status: number, body: string): StorageError {
  const code = elementText(body, 'Code');
  const knownFailure = code === null ? undefined : FAILURES[code];
  const failure = knownFailure ?? failureOfStatus(status);
  return new StorageError(failure, `the storage answered ${status}${code === null ? '' : ` (${code})`}`);
}

/** The failure by the HTTP status alone. */
function failureOfStatus(status: number): StorageFailure {
  if (status === 401 || status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 507) return 'full';
  return status >= 500 || status === 429 ? 'unreachable' : 'refused';
}
