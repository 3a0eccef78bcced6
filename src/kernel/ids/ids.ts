import { hash, randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock } from '#kernel/time/clock.js';

/** The prefixes of ids, one for each kind of record. */
export type IdPrefix =
  | 'call'
  | 'agent'
  /** A trial of an agent that is not saved. */
  | 'trial'
  /** A phone number of a workspace. */
  | 'num'
  /** An API key. */
  | 'key'
  /** A request of a client, or one that the service sends. */
  | 'req'
  /** An event for webhooks. */
  | 'evt'
  /** A registered webhook. */
  | 'wh'
  /** A delivery of an event to a webhook. */
  | 'dlv'
  /** A recording. */
  | 'rec'
  /** Work after a call, such as its analysis. */
  | 'job'
  /** An entry of the suppression list. */
  | 'sup'
  | 'batch'
  /** A schedule. */
  | 'sched'
  /** A run of a schedule (execution). */
  | 'exec'
  /** A running process. */
  | 'node'
  /** A folder of recordings. */
  | 'folder'
  /** One attempt to dial a call; also the reference that carriers return. */
  | 'dial'
  /** A request from one process to another for an action in a live call. */
  | 'act';

/** The port by which every module gets ids and randomness; tests replace it by a repeatable one. */
export interface Ids {
  /** A TypeID: `<prefix>_<26 base32 characters of a UUIDv7>`. The ids of a process sort by their creation. */
  next(prefix: IdPrefix): string;
  /** `sizeBytes` of cryptographic randomness. */
  secret(sizeBytes: number): Buffer;
}

/** Random bytes are fetched for this many ids at once, because a system call costs more than its bytes. */
const IDS_PER_FETCH = 256;
const UUID_BYTES = 16;

/** Creates the `Ids` of a process, with the time of `clock` and the randomness of the operating system. */
export function createIds(clock: Clock): Ids {
  let lastMs = 0;
  let sequence = 0;
  const randomPool = Buffer.alloc(IDS_PER_FETCH * UUID_BYTES);
  const randomSlices = Array.from({ length: IDS_PER_FETCH }, (_, i) =>
    randomPool.subarray(i * UUID_BYTES, (i + 1) * UUID_BYTES),
  );
  let used = IDS_PER_FETCH;
  const nextRandom = () => {
    if (used === IDS_PER_FETCH) {
      randomFillSync(randomPool);
      used = 0;
    }
    return randomSlices[used++]!;
  };
  const uuidBytes = new Uint8Array(UUID_BYTES);
  /** Takes the present time or, within a millisecond and after the clock was set back, the next sequence number. */
  const advance = () => {
    const nowMs = clock.wallMs();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      // The upper half of the range stays free for counting up.
      sequence = nextRandom().readUInt32BE() >>> 1;
    } else {
      sequence += 1;
    }
  };
  return {
    next(prefix) {
      advance();
      return typeId(prefix, v7({ msecs: lastMs, seq: sequence, random: nextRandom() }, uuidBytes));
    },
    secret: (sizeBytes) => randomBytes(sizeBytes),
  };
}

/**
 * Derives an id from others, for rows whose creation may be repeated, as by a transaction that runs again: the same
 * origins give the same id.
 * @param epochMs the time in the id, by which ids sort
 * @param origins the ids and texts to derive from, in order
 */
export function derivedId(prefix: IdPrefix, epochMs: number, ...origins: readonly string[]): string {
  const random = digestOf(origins);
  // The digest has more bytes than the random part of a UUID: those behind it give the sequence.
  const seq = random.readUInt32BE(UUID_BYTES) >>> 1;
  return typeId(prefix, v7({ msecs: epochMs, seq, random }, new Uint8Array(UUID_BYTES)));
}

/**
 * Like {@link derivedId}, but ids of one millisecond sort by `sequence`: for the events that one change of a call
 * writes.
 */
export function sequencedId(
  prefix: IdPrefix,
  epochMs: number,
  sequence: number,
  ...origins: readonly string[]
): string {
  const random = digestOf(origins);
  return typeId(prefix, v7({ msecs: epochMs, seq: sequence, random }, new Uint8Array(UUID_BYTES)));
}

/**
 * The SHA-256 of the origins. Every call derives several ids, so this uses `hash`: `createHash` would take twice as
 * long, and leave an object that the garbage collector must finalise.
 */
function digestOf(origins: readonly string[]): Buffer {
  return Buffer.from(hash('sha256', origins.join(' '), 'hex'), 'hex');
}

/** Crockford's base32 alphabet in lower case (TypeID specification). */
const DIGITS = Uint8Array.from('0123456789abcdefghjkmnpqrstvwxyz', (digit) => digit.charCodeAt(0));
const TEXT_LENGTH = 26;
/** The bytes that give eight digits. */
const GROUP_BYTES = 5;

const textBuffer = Buffer.alloc(TEXT_LENGTH);

/**
 * Formats a TypeID: a prefix and the 16 bytes of a UUID as 26 digits of base32. The first byte gives two digits, each
 * five bytes after it (two groups of 20 bits) give eight. The result is that of `typeid-js`, in a quarter of the time.
 */
export function typeId(prefix: string, uuid: Uint8Array): string {
  textBuffer[0] = DIGITS[uuid[0]! >> 5]!;
  textBuffer[1] = DIGITS[uuid[0]! & 31]!;
  for (let from = 1, at = 2; at < TEXT_LENGTH; from += GROUP_BYTES) {
    const upper = (uuid[from]! << 12) | (uuid[from + 1]! << 4) | (uuid[from + 2]! >> 4);
    const lower = ((uuid[from + 2]! & 15) << 16) | (uuid[from + 3]! << 8) | uuid[from + 4]!;
    at = writeDigits(upper, at);
    at = writeDigits(lower, at);
  }
  return `${prefix}_${textBuffer.toString('latin1')}`;
}

/** Writes twenty bits as four digits into the text buffer, from index `at`; returns the index after them. */
function writeDigits(bits: number, at: number): number {
  textBuffer[at] = DIGITS[bits >> 15]!;
  textBuffer[at + 1] = DIGITS[(bits >> 10) & 31]!;
  textBuffer[at + 2] = DIGITS[(bits >> 5) & 31]!;
  textBuffer[at + 3] = DIGITS[bits & 31]!;
  return at + 4;
}
