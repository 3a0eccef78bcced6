import type { CallWindow } from '../policy/call-window.js';
import { nextTurn } from './pacing.js';

const HOUR_MS = 3_600_000;

/** A batch to be played through. Instants are epoch milliseconds. */
export interface PlayedBatch {
  now: number;
  scheduledAt: number;
  window: CallWindow | null;
  maxConcurrency: number;
  /** Of the carrier; null where it takes calls as they come. */
  callsPerSecond: number | null;
  /** How long a call holds its line. */
  callMs: number;
  /** For each number that is called: not before when (0: whenever the batch runs). */
  notBefore: readonly number[];
}

/** One hour of the plan. */
export interface PlannedHour {
  startsAt: number;
  calls: number;
  peakConcurrency: number;
}

/** What would happen. */
export interface Foresight {
  hours: PlannedHour[];
  peakConcurrency: number;
  /** Null when nobody would be called, as both. */
  firstCallAt: number | null;
  finishesAt: number | null;
}

/**
 * Plays a batch through on a virtual clock: the same rule of pacing as the feeder's, asked whenever something would
 * change. Pure; the time it takes grows with the numbers.
 */
export function playThrough(batch: PlayedBatch): Foresight {
  const due = batch.notBefore.toSorted((a, b) => a - b);
  const gapMs = batch.callsPerSecond === null ? 0 : 1_000 / batch.callsPerSecond;
  const plan = new Plan();
  /** When each call ends, in order: all are foreseen to take the same time. */
  const ends: number[] = [];
  let ended = 0;
  let lineFreeAt = 0;
  let now = batch.now;
  let next = 0;
  while (next < due.length) {
    while (ended < ends.length && ends[ended]! <= now) ended += 1;
    const turn = nextTurn({ ...batch, now, inFlight: next - ended, nextDueAt: due[next]!, queued: 0 });
    if (turn.release === 0) {
      const later = turn.until ?? ends[ended];
      // A window that never opens lets nobody be called.
      if (later === undefined) break;
      now = later;
      continue;
    }
    for (let released = 0; released < turn.release && next < due.length && due[next]! <= now; released += 1) {
      const dialledAt = Math.max(now, lineFreeAt);
      lineFreeAt = dialledAt + gapMs;
      ends.push(dialledAt + batch.callMs);
      next += 1;
      plan.add(dialledAt, next - ended);
    }
    // A carrier that takes few calls a second is waited for, so that the window is asked again.
    now = Math.max(now, Math.floor(lineFreeAt - gapMs));
  }
  return plan.foresight(ends.at(-1) ?? null);
}

class Plan {
  readonly #hours: PlannedHour[] = [];
  #peak = 0;
  #firstCallAt: number | null = null;

  add(at: number, concurrency: number): void {
    const startsAt = Math.floor(at / HOUR_MS) * HOUR_MS;
    let hour = this.#hours.at(-1);
    if (hour?.startsAt !== startsAt) {
      hour = { startsAt, calls: 0, peakConcurrency: 0 };
      this.#hours.push(hour);
    }
    hour.calls += 1;
    hour.peakConcurrency = Math.max(hour.peakConcurrency, concurrency);
    this.#peak = Math.max(this.#peak, concurrency);
    this.#firstCallAt ??= Math.floor(at);
  }

  foresight(lastEnd: number | null): Foresight {
    return {
      hours: this.#hours,
      peakConcurrency: this.#peak,
      firstCallAt: this.#firstCallAt,
      finishesAt: lastEnd === null ? null : Math.ceil(lastEnd),
    };
  }
}
