import { DateTime, IANAZone } from 'luxon';
import type { CallWindow } from '#policy/hours/call-window.js';
import type { Decision, Question } from '#policy/deciding/decision.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';

const MINUTE_MS = 60_000;
const HALF_HOUR_MS = 30 * MINUTE_MS;
const MINUTES_OF_DAY = 24 * 60;
/** The first of January 1970, in a week that begins on Monday. */
const THURSDAY = 3;
const HORIZON_MINUTES = 14 * 24 * 60;

/** Whether it is calling time at an instant, as a person with a calendar would find out. */
export function isCallingTime(window: CallWindow, zones: readonly string[], at: number): boolean {
  return (window.timezone ? [window.timezone] : zones).every((zone) => {
    const local = DateTime.fromMillis(at, { zone });
    const minute = local.hour * 60 + local.minute;
    const isDay = (window.days >> (local.weekday - 1)) % 2 === 1;
    return isDay && minute >= window.startMinute && minute < window.endMinute;
  });
}

/** The same with a clock on the wall of every zone, set anew each half hour: clocks change at no other times. */
class WallClocks {
  readonly #offsets = new Map<string, Map<number, number>>();

  isCallingTime(window: CallWindow, zones: readonly string[], at: number): boolean {
    return (window.timezone ? [window.timezone] : zones).every((zone) => {
      const local = Math.floor((at + this.#offsetMs(zone, at)) / MINUTE_MS);
      const minute = local % MINUTES_OF_DAY;
      const dayOfWeek = (THURSDAY + Math.floor(local / MINUTES_OF_DAY)) % 7;
      const isDay = (window.days >> dayOfWeek) % 2 === 1;
      return isDay && minute >= window.startMinute && minute < window.endMinute;
    });
  }

  #offsetMs(zone: string, at: number): number {
    const halfHour = Math.floor(at / HALF_HOUR_MS);
    const known = this.#offsets.get(zone)?.get(halfHour);
    if (known !== undefined) return known;
    const offsetMs = IANAZone.create(zone).offset(halfHour * HALF_HOUR_MS) * MINUTE_MS;
    this.#offsets.set(zone, (this.#offsets.get(zone) ?? new Map<number, number>()).set(halfHour, offsetMs));
    return offsetMs;
  }
}

const clocks = new WallClocks();

/** Walks from minute to minute until it is calling time by every window; null after two weeks. */
export function walkToCallingTime(
  windows: readonly CallWindow[],
  zones: readonly string[],
  from: number,
): number | null {
  const isCallingTime = (at: number) => windows.every((window) => clocks.isCallingTime(window, zones, at));
  if (isCallingTime(from)) return from;
  const firstMinute = Math.floor(from / MINUTE_MS) + 1;
  for (let minute = firstMinute; minute * MINUTE_MS < from + HORIZON_MINUTES * MINUTE_MS; minute += 1) {
    if (isCallingTime(minute * MINUTE_MS)) return minute * MINUTE_MS;
  }
  return null;
}

/** The rules once more, in the plainest words: what a call to an ordinary number is told. */
export function slowVerdict(
  question: Question,
  rules: PolicyRules,
  zones: readonly string[],
): Pick<Decision, 'verdict'> & { until?: number; reason?: string } {
  if (question.suppression) return { verdict: 'skip', reason: 'suppressed' };
  let at = question.now;
  let reason = 'outside_calling_window';
  if (rules.mode === 'enforce') {
    const isCapped = () =>
      rules.caps.some(({ attempts, hours }) => {
        const recent = question.attempts.filter((then) => then > at - hours * 3_600_000);
        return recent.length >= attempts;
      });
    if (isCapped()) reason = 'attempt_cap';
    // Caps only ever give way at the instant when an attempt has become too old.
    const givesWayAt = question.attempts
      .flatMap((then) => rules.caps.map(({ hours }) => then + hours * 3_600_000))
      .sort((a, b) => a - b);
    while (isCapped()) at = givesWayAt.find((instant) => instant > at)!;
  }
  const windows: CallWindow[] = [];
  if (rules.ownWindow) windows.push(rules.ownWindow);
  if (rules.window && rules.mode === 'enforce') windows.push(rules.window);
  const opensAt = walkToCallingTime(windows, zones, at);
  if (opensAt === null) return { verdict: 'skip', reason: 'outside_calling_window' };
  at = opensAt;
  return at === question.now ? { verdict: 'dial' } : { verdict: 'defer', until: at, reason };
}
