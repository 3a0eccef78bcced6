import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import { FRAME_MS } from './audio.js';

/** What a peer's buffer forgives: owed turns beyond this are dropped, not delivered late. */
const MAX_OWED_TURNS = 200 / FRAME_MS;
/** Timers of the machine may come this much early; such a turn counts as on time. */
const EARLY_MS = 1;
const LATENESS_SAMPLES = 512;

/** How late turns came, in milliseconds, over the last 512 turns (about ten seconds). */
export interface Lateness {
  turns: number;
  p99Ms: number;
  maxMs: number;
  /** Turns dropped since the start because the process stood still for longer than 200 ms. */
  droppedTurns: number;
}

/**
 * The one 20 ms beat that all calls share: a timer for each call would cost half the capacity.
 *
 * Turns lie on a grid that never drifts. After a stall, the turns that were missed are made up one at a time, with one
 * extra turn per beat, so that no peer gets a burst; of a stall longer than 200 ms the rest is dropped and counted.
 */
export interface Wheel {
  /** Calls `turn` every 20 ms until the answer is called. Joining and leaving cost the same however many there are. */
  join(turn: () => void): () => void;
  readonly members: number;
  lateness(): Lateness;
}

/** A wheel that stands still, without a timer, while nobody is on it. */
export function createWheel(parts: { clock: Clock; log: Log }): Wheel {
  return new SharedWheel(parts.clock, parts.log);
}

class SharedWheel implements Wheel {
  readonly #clock: Clock;
  readonly #log: Log;
  /** A set keeps joining and leaving cheap, also in the middle of a turn. */
  readonly #members = new Set<{ turn: () => void }>();
  readonly #lateMs = new Float64Array(LATENESS_SAMPLES);
  #turns = 0;
  #droppedTurns = 0;
  #owedTurns = 0;
  #nextMs = 0;
  #cancel: (() => void) | null = null;
  readonly #beat = () => this.#onBeat();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  get members(): number {
    return this.#members.size;
  }

  join(turn: () => void): () => void {
    const member = { turn };
    this.#members.add(member);
    if (this.#members.size === 1) {
      this.#owedTurns = 0;
      this.#nextMs = this.#clock.monotonicMs() + FRAME_MS;
      this.#arm();
    }
    return () => {
      if (this.#members.delete(member) && this.#members.size === 0) this.#rest();
    };
  }

  lateness(): Lateness {
    const known = Math.min(this.#turns, LATENESS_SAMPLES);
    const sorted = this.#lateMs.slice(0, known).sort();
    return {
      turns: this.#turns,
      p99Ms: sorted[Math.ceil(known * 0.99) - 1] ?? 0,
      maxMs: sorted[known - 1] ?? 0,
      droppedTurns: this.#droppedTurns,
    };
  }

  #arm(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(Math.max(0, this.#nextMs - this.#clock.monotonicMs()), this.#beat);
  }

  #rest(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #onBeat(): void {
    const lateMs = this.#clock.monotonicMs() - this.#nextMs;
    if (lateMs < -EARLY_MS) return this.#arm();
    this.#lateMs[this.#turns++ % LATENESS_SAMPLES] = Math.max(0, lateMs);
    const missedTurns = Math.max(0, Math.floor(lateMs / FRAME_MS));
    this.#nextMs += (1 + missedTurns) * FRAME_MS;
    this.#owe(missedTurns);
    this.#turn();
    if (this.#owedTurns > 0 && missedTurns === 0) {
      this.#owedTurns--;
      this.#turn();
    }
    if (this.#members.size > 0) this.#arm();
  }

  #owe(turns: number): void {
    const owed = this.#owedTurns + turns;
    this.#owedTurns = Math.min(owed, MAX_OWED_TURNS);
    this.#droppedTurns += owed - this.#owedTurns;
  }

  #turn(): void {
    for (const member of this.#members) {
      try {
        member.turn();
      } catch (error) {
        // It would throw again in 20 ms, and for ever.
        this.#members.delete(member);
        this.#log.error({ err: error }, 'a member fell off the wheel');
      }
    }
  }
}
