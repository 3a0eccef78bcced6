import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock } from '#kernel/time/clock.js';

/** The prefixes of ids, one for each kind of record. */
export type IdPrefix =
  | 'call'
  | 'agent'
  /** A trial of an agent that is not saved. */
  | 'trial'
  | 'num'
  | 'key'
  | 'req'
  | 'evt'
  /** A registered webhook. */
  | 'wh'
  /** A delivery of an event to a webhook. */
  | 'dlv'
  | 'rec'
  | 'job'
  | 'sup'
  | 'batch'
  | 'sched'
  | 'exec'
  /** A running process. */
  | 'node'
  /** A folder of recordings. */
  | 'folder'
  /** One attempt to dial a call; also the reference that carriers return. */
  | 'dial'
  /** What one process asks another to do in a live call. */
  | 'act';

/** Port of ids and randomness, so that tests are repeatable. */
export interface Ids {
  /** A TypeID: `<prefix>_<26 base32 characters of a UUIDv7>`; ids sort by creation time. */
  next(prefix: IdPrefix): string;
  /** `sizeBytes` of cryptographic randomness. */
  secret(sizeBytes: number): Buffer;
}

/** Random bytes are fetched for this many ids at once: a call costs more than its bytes. */
const IDS_PER_FETCH = 256;
const UUID_BYTES = 16;

/** Ids with the time of `clock` and the randomness of the operating system. */
export function createIds(clock: Clock): Ids {
  let lastMs = 0;
  let sequence = 0;
  const fetched = Buffer.alloc(IDS_PER_FETCH * UUID_BYTES);
  const portions = Array.from({ length: IDS_PER_FETCH }, (_, i) =>
    fetched.subarray(i * UUID_BYTES, (i + 1) * UUID_BYTES),
  );
  let used = IDS_PER_FETCH;
  const nextRandom = () => {
    if (used === IDS_PER_FETCH) {
      randomFillSync(fetched);
      used = 0;
    }
    return portions[used++]!;
  };
  const uuidBytes = new Uint8Array(UUID_BYTES);
  /** Keeps the ids of one process in order: within a millisecond, and when the wall clock is set back. */
  const step = () => {
    const now = clock.wallMs();
    if (now > lastMs) {
      lastMs = now;
      sequence = nextRandom().readUInt32BE() >>> 1;
    } else {
      sequence += 1;
    }
  };
  return {
    next(prefix) {
      step();
      return typeId(prefix, v7({ msecs: lastMs, seq: sequence, random: nextRandom() }, uuidBytes));
    },
    secret: (sizeBytes) => randomBytes(sizeBytes),
  };
}

/**
 * An id derived from others, for rows that a transaction creates: the same when the transaction runs again.
 * @param epochMs the time part
 * @param origins the ids and texts to derive from, in order
 */
export function derivedId(prefix: IdPrefix, epochMs: number, ...origins: readonly string[]): string {
  const random = createHash('sha256').update(origins.join(' ')).digest();
  const seq = random.readUInt32BE(UUID_BYTES) >>> 1;
  return typeId(prefix, v7({ msecs: epochMs, seq, random }, new Uint8Array(UUID_BYTES)));
}

/** {@link derivedId} that sorts by `sequence` among the ids of one millisecond. */
export function sequencedId(
  prefix: IdPrefix,
  epochMs: number,
  sequence: number,
  ...origins: readonly string[]
): string {
  const random = createHash('sha256').update(origins.join(' ')).digest();
  return typeId(prefix, v7({ msecs: epochMs, seq: sequence, random }, new Uint8Array(UUID_BYTES)));
}

/** Crockford's base32 alphabet in lower case (TypeID specification). */
const DIGITS = Uint8Array.from('0123456789abcdefghjkmnpqrstvwxyz', (digit) => digit.charCodeAt(0));
const TEXT_LENGTH = 26;
/** The first byte makes two digits; each five bytes after it make eight. */
const GROUP_BYTES = 5;

const text = Buffer.alloc(TEXT_LENGTH);

/** A TypeID: a prefix and the 16 bytes of a UUID in base32. As `typeid-js` formats it, in a quarter of the time. */
export function typeId(prefix: string, uuid: Uint8Array): string {
  text[0] = DIGITS[uuid[0]! >> 5]!;
  text[1] = DIGITS[uuid[0]! & 31]!;
  for (let from = 1, at = 2; at < TEXT_LENGTH; from += GROUP_BYTES) {
    const upper = (uuid[from]! << 12) | (uuid[from + 1]! << 4) | (uuid[from + 2]! >> 4);
    const lower = ((uuid[from + 2]! & 15) << 16) | (uuid[from + 3]! << 8) | uuid[from + 4]!;
    at = write(upper, at);
    at = write(lower, at);
  }
  return `${prefix}_${text.toString('latin1')}`;
}

/** Writes twenty bits as four digits; returns the index after them. */
function write(bits: number, at: number): number {
  text[at] = DIGITS[bits >> 15]!;
  text[at + 1] = DIGITS[(bits >> 10) & 31]!;
  text[at + 2] = DIGITS[(bits >> 5) & 31]!;
  text[at + 3] = DIGITS[bits & 31]!;
  return at + 4;
}
