import { randomBytes } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';
import type { Clock } from './clock.js';

/** Every kind of thing that has an id, by the prefix its ids carry. */
export type IdPrefix =
  | 'call'
  | 'agent'
  | 'num'
  | 'key'
  | 'req'
  | 'evt'
  | 'rec'
  | 'job'
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

/** Ids whose time part comes from `clock` and whose randomness comes from the machine. */
export function createIds(clock: Clock): Ids {
  let lastMs = 0;
  let sequence = 0;
  /** Ids of one process sort as they were made: within a millisecond, and when the wall clock is set back. */
  const stamp = () => {
    const now = clock.wallMs();
    if (now > lastMs) {
      lastMs = now;
      sequence = randomBytes(4).readUInt32BE() >>> 1;
    } else {
      sequence += 1;
    }
    return { msecs: lastMs, seq: sequence };
  };
  return {
    next(prefix) {
      const uuidBytes = v7(stamp(), new Uint8Array(16));
      return TypeID.fromUUIDBytes(prefix, uuidBytes).toString();
    },
    secret: (sizeBytes) => randomBytes(sizeBytes),
  };
}
