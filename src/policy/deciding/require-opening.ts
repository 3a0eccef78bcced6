import { toInstant } from '#kernel/time/clock.js';
import { fieldProblem } from '#kernel/errors/errors.js';
import type { CallWindow } from '#policy/hours/call-window.js';
import { nextCommonOpening } from '#policy/hours/calling-hours.js';
import { openingsOf } from './decide.js';
import { enforcedWindows, withOwnWindow, type PolicyRules } from './policy-rules.js';

/** The planned time of a call, the last instant to which it may be deferred (epoch milliseconds), and its rules. */
interface PlannedCall {
  at: number;
  latestAt: number;
  rules: PolicyRules;
}

/**
 * Checks a client's `call_window` when a call or schedule is accepted: it must open in time, within the calling hours
 * where those are enforced. Without this check, the call would be accepted and fail later.
 * @throws Problem `validation_error`
 */
export function requireOpening(window: CallWindow | null, phoneNumber: string, planned: PlannedCall): void {
  if (window === null) return;
  const { at, latestAt, rules } = planned;
  const opensAt = (windows: readonly CallWindow[]) =>
    nextCommonOpening(openingsOf(phoneNumber, windows, rules), at);
  const isInTime = (instant: number | null) => instant !== null && instant <= latestAt;
  const ownOpening = opensAt([window]);
  const commonOpening = opensAt(enforcedWindows(withOwnWindow(rules, window)));
  if (isInTime(commonOpening)) return;
  throw fieldProblem(
    'validation_error',
    'call_window',
    isInTime(ownOpening) ? closedInCallingHoursMessage(commonOpening) : closedMessage(ownOpening),
    'invalid_value',
  );
}

function closedMessage(opensAt: number | null): string {
  return opensAt === null
    ? 'is never open in all time zones that the number may be in at once: name the timezone that is meant'
    : `opens at ${toInstant(opensAt)}: too long after the time of the call`;
}

function closedInCallingHoursMessage(opensAt: number | null): string {
  return opensAt === null
    ? 'is never open within the calling hours of the service where the number may be'
    : `is open within the calling hours of the service at ${toInstant(opensAt)}: too long after the time of the call`;
}
