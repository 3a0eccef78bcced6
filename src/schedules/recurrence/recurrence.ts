import { CronDate, CronExpressionParser, type CronExpression } from 'cron-parser';
import { resolveLocalTime } from '#kernel/time/local-time.js';
import { nextTransition, offsetMs, localMsAt } from '#kernel/time/time-zone.js';
import { readCron } from './cron-grammar.js';

const DAY_MS = 86_400_000;
/** How far ahead one step of `#nextElapsed` looks for a clock change and a due instant. */
const LOOK_AHEAD_MS = 2 * DAY_MS;

/**
 * Computes the instants at which a cron expression is due in a zone, for planning and previews. Matching local times
 * are searched as if clocks never changed (by cron-parser in UTC, so that its own rules for clock changes have no
 * effect), and converted to instants here. The next instant depends on nothing but expression, zone and the given
 * instant.
 *
 * Rules: each matching local time is due once. A skipped local time is due later by the length of the gap; a repeated
 * time is due the first time; two local times that map to the same instant are due once. An exception is an hour field
 * of `*`, which follows elapsed time: skipped hours are not due, repeated hours are due again.
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

  /** The due instants after `afterMs`, in order: `count` of them, or fewer if no more follow. */
  take(count: number, afterMs: number): number[] {
    const instants: number[] = [];
    let last: number | null = afterMs;
    while (instants.length < count && (last = this.next(last)) !== null) instants.push(last);
    return instants;
  }

  /**
   * The next due instant of an expression with given hours: the earliest instant after `afterMs` of the matching local
   * times, which are tried in order. Their order is not that of their instants: if the clock skips from 2:00 to 3:00,
   * the local time 2:30 is due at 3:30, after 3:00.
   * @throws NoMatch
   */
  #nextLocal(afterMs: number): number {
    const offset = offsetMs(this.#zone, afterMs);
    // A time that was skipped within the last day may be due after `afterMs`: the search begins earlier by the gap.
    const skippedMs = Math.max(0, offset - offsetMs(this.#zone, afterMs - DAY_MS));
    let best: number | null = null;
    this.#searchFrom(afterMs + offset - skippedMs);
    for (;;) {
      const wallMs = this.#nextWall();
      // At `best`, the clock shows an earlier local time than this one: this time and all later times are due after
      // `best`.
      if (best !== null && wallMs > localMsAt(this.#zone, best)) return best;
      const { epochMs, adjusted } = resolveLocalTime(wallMs, this.#zone);
      // Due already.
      if (epochMs <= afterMs) continue;
      if (best === null || epochMs < best) best = epochMs;
      // After a skipped time, a later local time may be due earlier; after any other time, none is.
      if (adjusted !== 'gap') return best;
    }
  }

  /**
   * The next due instant of an expression for every hour, by elapsed time. Between two clock changes the offset is
   * constant, so the next matching local time is the next due instant. Each step searches with one offset, up to the
   * next clock change or for two days, and the following step continues there.
   * @throws NoMatch
   */
  #nextElapsed(afterMs: number): number {
    let fromMs = afterMs;
    let offset = offsetMs(this.#zone, fromMs);
    for (;;) {
      this.#searchFrom(fromMs + offset);
      const dueMs = this.#nextWall() - offset;
      const clockChangeMs = nextTransition(this.#zone, fromMs, fromMs + LOOK_AHEAD_MS);
      if (clockChangeMs !== null && dueMs >= clockChangeMs) {
        // Continue with the new offset from the clock change on. The search finds times after its start: `- 1`, because
        // the instant of the clock change may itself be due.
        offset = offsetMs(this.#zone, clockChangeMs);
        fromMs = clockChangeMs - 1;
        this.#searchFrom(fromMs + offset);
        const firstMs = this.#nextWall() - offset;
        // A later due instant may lie after another clock change, which the next steps look for.
        if (firstMs < clockChangeMs + LOOK_AHEAD_MS) return firstMs;
        fromMs = clockChangeMs;
        continue;
      }
      if (dueMs <= fromMs + LOOK_AHEAD_MS) return dueMs;
      // Nothing is due within this step. Continue near `dueMs`, but two days earlier: a clock change before it moves it
      // by up to a whole day, as when Samoa skipped a date.
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
