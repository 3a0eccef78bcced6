import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock } from '#kernel/time/clock.js';
import { typeId } from './type-id.js';

/** Every kind of thing that has an id, by the prefix its ids carry. */
export type IdPrefix =
  | 'call'
  | 'agent'
  /** An agent that is talked with before it is saved. */
  | 'trial'
  | 'num'
  | 'key'
  | 'req'
  | 'evt'
  /** A registered webhook. */
  | 'wh'
  /** An event on its way to a webhook. */
  | 'dlv'
  | 'rec'
  | 'job'
  | 'sup'
  | 'batch'
  | 'sched'
  | 'exec'
  /** A running process. */
  | 'node'
  /** One attempt to dial a call; it is also the reference that carriers give back to us. */
  | 'dial';

/** Identity and chance as a port, so that a test can repeat a run to the letter. */
export interface Ids {
  /** A TypeID: `<prefix>_<26 base32 characters of a UUIDv7>`, sorting by creation time. */
  next(prefix: IdPrefix): string;
  /** `sizeBytes` of unguessable randomness. */
  secret(sizeBytes: number): Buffer;
}

/** Chance is fetched for so many ids at once: the way to it costs more than the bytes. */
const IDS_PER_FETCH = 256;
const UUID_BYTES = 16;

/** Ids whose time part comes from `clock` and whose randomness comes from the machine. */
export function createIds(clock: Clock): Ids {
  let lastMs = 0;
  let sequence = 0;
  const fetched = Buffer.alloc(IDS_PER_FETCH * UUID_BYTES);
  const portions = Array.from({ length: IDS_PER_FETCH }, (_, i) =>
    fetched.subarray(i * UUID_BYTES, (i + 1) * UUID_BYTES),
  );
  let used = IDS_PER_FETCH;
  const chance = () => {
    if (used === IDS_PER_FETCH) {
      randomFillSync(fetched);
      used = 0;
    }
    return portions[used++]!;
  };
  const uuidBytes = new Uint8Array(UUID_BYTES);
  /** Ids of one process sort as they were made: within a millisecond, and when the wall clock is set back. */
  const step = () => {
    const now = clock.wallMs();
    if (now > lastMs) {
      lastMs = now;
      sequence = chance().readUInt32BE() >>> 1;
    } else {
      sequence += 1;
    }
  };
  return {
    next(prefix) {
      step();
      return typeId(prefix, v7({ msecs: lastMs, seq: sequence, random: chance() }, uuidBytes));
    },
    secret: (sizeBytes) => randomBytes(sizeBytes),
  };
}

/**
 * An id that follows from others, for rows that a unit of work makes as it goes: the same whenever it runs again.
 * @param epochMs where it sorts
 * @param origins what it follows from; their order counts
 */
export function derivedId(prefix: IdPrefix, epochMs: number, ...origins: readonly string[]): string {
  const random = createHash('sha256').update(origins.join(' ')).digest();
  const seq = random.readUInt32BE(UUID_BYTES) >>> 1;
  return typeId(prefix, v7({ msecs: epochMs, seq, random }, new Uint8Array(UUID_BYTES)));
}
