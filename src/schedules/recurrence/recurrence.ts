import { CronDate, CronExpressionParser, type CronExpression } from 'cron-parser';
import { resolveLocalTime } from '#kernel/time/local-time.js';
import { nextTransition, offsetMs, wallTime } from '#kernel/time/time-zone.js';
import { readCron } from './cron-grammar.js';

const DAY_MS = 86_400_000;
/** How far ahead a setting of the clocks is looked for at a time. */
const LOOK_AHEAD_MS = 2 * DAY_MS;

/**
 * When an expression is due in a zone. Wall time is searched as if clocks were never set (cron-parser in UTC, so that
 * its own arithmetic around such days is out of play), and turned into instants here. What comes next depends on
 * nothing but the expression, the zone and the instant asked about: never on when or how often it is asked.
 *
 * Rules (our choice): each matching local time is due once. One that the clocks skip is due as much later as they skip,
 * one that they show twice is due the first time; times that come to the same instant are due once. Only where the hour
 * field is `*`, elapsed time rules: skipped hours are not due, repeated hours are due again.
 */
export class Recurrence {
  readonly #cron: CronExpression;
  readonly #zone: string;
  readonly #isEveryHour: boolean;

  /** @throws Error for an expression that {@link readCron} refuses: it is checked where it comes in */
  constructor(expression: string, zone: string) {
    const reading = readCron(expression);
    if (!reading.ok) throw new Error(`a kept cron expression ${reading.message}`);
    this.#cron = CronExpressionParser.parse(reading.fields.expression, { tz: 'UTC' });
    this.#zone = zone;
    this.#isEveryHour = reading.fields.isEveryHour;
  }

  /** The first instant after `afterMs` at which it is due (epoch milliseconds); null when there is none. */
  next(afterMs: number): number | null {
    try {
      return this.#isEveryHour ? this.#nextElapsed(afterMs) : this.#nextLocal(afterMs);
    } catch (error) {
      if (error instanceof NoMatch) return null;
      throw error;
    }
  }

  /** The next instants, in order. */
  take(count: number, afterMs: number): number[] {
    const instants: number[] = [];
    let last: number | null = afterMs;
    while (instants.length < count && (last = this.next(last)) !== null) instants.push(last);
    return instants;
  }

  #nextLocal(afterMs: number): number {
    const now = offsetMs(this.#zone, afterMs);
    // What was skipped within the last day may still be to come, at its place after the gap.
    const skippedMs = Math.max(0, now - offsetMs(this.#zone, afterMs - DAY_MS));
    let best: number | null = null;
    this.#searchFrom(afterMs + now - skippedMs);
    for (;;) {
      const wallMs = this.#nextWall();
      // Times after a gap come to earlier instants than those that were moved out of it.
      if (best !== null && wallMs > wallTime(this.#zone, best)) return best;
      const { epochMs, adjusted } = resolveLocalTime(wallMs, this.#zone);
      if (epochMs <= afterMs) continue;
      if (best === null || epochMs < best) best = epochMs;
      if (adjusted !== 'gap') return best;
    }
  }

  #nextElapsed(afterMs: number): number {
    let fromMs = afterMs;
    let offset = offsetMs(this.#zone, fromMs);
    for (;;) {
      this.#searchFrom(fromMs + offset);
      const dueMs = this.#nextWall() - offset;
      const setMs = nextTransition(this.#zone, fromMs, fromMs + LOOK_AHEAD_MS);
      if (setMs !== null && dueMs >= setMs) {
        // On from the moment at which the clocks are set, which may itself be due.
        offset = offsetMs(this.#zone, setMs);
        fromMs = setMs - 1;
        this.#searchFrom(fromMs + offset);
        const firstMs = this.#nextWall() - offset;
        if (firstMs < setMs + LOOK_AHEAD_MS) return firstMs;
        fromMs = setMs;
        continue;
      }
      if (dueMs <= fromMs + LOOK_AHEAD_MS) return dueMs;
      // Nothing is due before: look again from so long before it that clocks may be set by a whole day.
      fromMs = Math.max(fromMs + DAY_MS, dueMs - LOOK_AHEAD_MS);
      offset = offsetMs(this.#zone, fromMs);
    }
  }

  #searchFrom(wallMs: number): void {
    this.#cron.reset(new CronDate(wallMs, 'UTC'));
  }

  #nextWall(): number {
    try {
      return this.#cron.next().getTime();
    } catch {
      throw new NoMatch();
    }
  }
}

/** The search ended without a day that matches. */
class NoMatch extends Error {}
