import { toInstant } from '../kernel/clock.js';
import { fieldProblem } from '../kernel/errors.js';
import type { CallWindow } from './call-window.js';
import { nextOpenAt } from './calling-hours.js';
import { zonesFor } from './decide.js';
import type { PolicyRules } from './policy-rules.js';

/**
 * Refuses a window of a client's own in which a number cannot be called in time, while there is somebody to tell: the
 * call would be accepted, and fail when its turn comes.
 * @param wanted when the call is to be made, and until when it may be put off (epoch milliseconds)
 * @throws Problem `validation_error`
 */
export function requireOpening(
  window: CallWindow | null,
  phoneNumber: string,
  wanted: { at: number; latestAt: number; rules: PolicyRules },
): void {
  if (window === null) return;
  const opensAt = nextOpenAt(window, zonesFor(phoneNumber, window, wanted.rules), wanted.at);
  if (opensAt !== null && opensAt <= wanted.latestAt) return;
  const message =
    opensAt === null
      ? 'is never open in all time zones that the number may be in at once: name the timezone that is meant'
      : `opens at ${toInstant(opensAt)}: too long after the time of the call`;
  throw fieldProblem('validation_error', 'call_window', message, 'invalid_value');
}
