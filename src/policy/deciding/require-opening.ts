import { toInstant } from '#kernel/time/clock.js';
import { fieldProblem } from '#kernel/errors/errors.js';
import type { CallWindow } from '#policy/hours/call-window.js';
import { nextCommonOpening } from '#policy/hours/calling-hours.js';
import { openingsOf } from './decide.js';
import { obeyedWindows, rulesWith, type PolicyRules } from './policy-rules.js';

/** When a call is wanted, and until when it may be deferred (epoch milliseconds). */
interface Wanted {
  at: number;
  latestAt: number;
  rules: PolicyRules;
}

/**
 * Refuses a client's `call_window` that does not open in time, or not within the calling hours where those are
 * enforced. Without this check, the call would be accepted and fail later.
 * @throws Problem `validation_error`
 */
export function requireOpening(window: CallWindow | null, phoneNumber: string, wanted: Wanted): void {
  if (window === null) return;
  const { at, latestAt, rules } = wanted;
  const opensAt = (windows: readonly CallWindow[]) =>
    nextCommonOpening(openingsOf(phoneNumber, windows, rules), at);
  const isInTime = (instant: number | null) => instant !== null && instant <= latestAt;
  const itself = opensAt([window]);
  const inCallingHours = opensAt(obeyedWindows(rulesWith(rules, window)));
  if (isInTime(inCallingHours)) return;
  throw fieldProblem(
    'validation_error',
    'call_window',
    isInTime(itself) ? whyNotInCallingHours(inCallingHours) : whyNot(itself),
    'invalid_value',
  );
}

function whyNot(opensAt: number | null): string {
  return opensAt === null
    ? 'is never open in all time zones that the number may be in at once: name the timezone that is meant'
    : `opens at ${toInstant(opensAt)}: too long after the time of the call`;
}

function whyNotInCallingHours(opensAt: number | null): string {
  return opensAt === null
    ? 'is never open within the calling hours of the service where the number may be'
    : `is open within the calling hours of the service at ${toInstant(opensAt)}: too long after the time of the call`;
}
