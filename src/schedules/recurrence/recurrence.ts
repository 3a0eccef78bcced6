import { CronDate, CronExpressionParser, type CronExpression } from 'cron-parser';
import { resolveLocalTime } from '#kernel/time/local-time.js';
import { nextTransition, offsetMs, localMsAt } from '#kernel/time/time-zone.js';
import { readCron } from './cron-grammar.js';

const DAY_MS = 86_400_000;
/** How far ahead one step searches for clock changes. */
const LOOK_AHEAD_MS = 2 * DAY_MS;

/**
 * Computes the instants at which a cron expression is due in a zone, for planning and previews. Matching local times
 * are searched as if clocks never changed (by cron-parser in UTC, so that its own rules for clock changes have no
 * effect), and converted to instants here. The next instant depends only on expression, zone and the given instant.
 *
 * Rules: each matching local time is due once. A skipped local time is due later by the length of the gap; a repeated
 * one is due the first time; times that map to one instant are due once. Only an hour field of `*` follows elapsed
 * time: skipped hours are not due, repeated hours are due again.
 */
export class Recurrence {
  readonly #cron: CronExpression;
  readonly #zone: string;
  readonly #isEveryHour: boolean;

  /** @throws Error for an expression that {@link readCron} refuses; requests are checked before */
  constructor(expression: string, zone: string) {
    const reading = readCron(expression);
    if (!reading.ok) throw new Error(`a kept cron expression ${reading.message}`);
    this.#cron = CronExpressionParser.parse(reading.fields.expression, { tz: 'UTC' });
    this.#zone = zone;
    this.#isEveryHour = reading.fields.isEveryHour;
  }

  /** The first due instant after `afterMs` (epoch milliseconds); null if there is none. */
  next(afterMs: number): number | null {
    try {
      return this.#isEveryHour ? this.#nextElapsed(afterMs) : this.#nextLocal(afterMs);
    } catch (error) {
      if (error instanceof NoMatch) return null;
      throw error;
    }
  }

  /** The next `count` due instants, in order. */
  take(count: number, afterMs: number): number[] {
    const instants: number[] = [];
    let last: number | null = afterMs;
    while (instants.length < count && (last = this.next(last)) !== null) instants.push(last);
    return instants;
  }

  /** The next due instant of an expression with given hours. @throws NoMatch */
  #nextLocal(afterMs: number): number {
    const now = offsetMs(this.#zone, afterMs);
    // A time skipped within the last day may still lie ahead, moved behind the gap.
    const skippedMs = Math.max(0, now - offsetMs(this.#zone, afterMs - DAY_MS));
    let best: number | null = null;
    this.#searchFrom(afterMs + now - skippedMs);
    for (;;) {
      const wallMs = this.#nextWall();
      // Times after a gap map to earlier instants than those moved out of it.
      if (best !== null && wallMs > localMsAt(this.#zone, best)) return best;
      const { epochMs, adjusted } = resolveLocalTime(wallMs, this.#zone);
      if (epochMs <= afterMs) continue;
      if (best === null || epochMs < best) best = epochMs;
      if (adjusted !== 'gap') return best;
    }
  }

  /** The next due instant of an expression for every hour, by elapsed time. @throws NoMatch */
  #nextElapsed(afterMs: number): number {
    let fromMs = afterMs;
    let offset = offsetMs(this.#zone, fromMs);
    for (;;) {
      this.#searchFrom(fromMs + offset);
      const dueMs = this.#nextWall() - offset;
      const clockChangeMs = nextTransition(this.#zone, fromMs, fromMs + LOOK_AHEAD_MS);
      if (clockChangeMs !== null && dueMs >= clockChangeMs) {
        // Continue at the instant of the clock change, which may itself be due.
        offset = offsetMs(this.#zone, clockChangeMs);
        fromMs = clockChangeMs - 1;
        this.#searchFrom(fromMs + offset);
        const firstMs = this.#nextWall() - offset;
        if (firstMs < clockChangeMs + LOOK_AHEAD_MS) return firstMs;
        fromMs = clockChangeMs;
        continue;
      }
      if (dueMs <= fromMs + LOOK_AHEAD_MS) return dueMs;
      // Nothing is due before: continue from shortly before it, early enough for a clock change of a whole day.
      fromMs = Math.max(fromMs + DAY_MS, dueMs - LOOK_AHEAD_MS);
      offset = offsetMs(this.#zone, fromMs);
    }
  }

  /** Lets the search continue after a local time. */
  #searchFrom(wallMs: number): void {
    this.#cron.reset(new CronDate(wallMs, 'UTC'));
  }

  /** The next matching local time, as epoch milliseconds of the same reading in UTC. @throws NoMatch */
  #nextWall(): number {
    try {
      return this.#cron.next().getTime();
    } catch {
      throw new NoMatch();
    }
  }
}

/** The search found no matching day. */
class NoMatch extends Error {}
