import { Problem } from '#kernel/errors/errors.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { sendTones } from '#calls/live/sessions/send-digits.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import type { ActionRequest } from './action-store.js';
import type { Performed } from './call-action.js';
import type { CallSteering } from './call-steering.js';

/** How long a disconnect request waits for the end of the call, so that most of its answers show the end. */
export const DISCONNECT_TIMEOUT_MS = 2_000;

/** The result of an action that does not steer the talk: no mode and no log entry. */
const NOT_STEERED: Performed = { mode: null, note: null };

/** The dependencies of {@link performAction}. */
export interface PerformingParts {
  sessions: Pick<LiveSessions, 'get' | 'end'>;
  endings: Pick<CallEndings, 'waitForEnd'>;
  steering: Pick<CallSteering, 'perform'>;
}

/**
 * Performs the action that another process has requested in a call that is live in this process. Used by
 * `ActionExchange`.
 * @throws Problem `invalid_state` if the call is not live or the action is not possible now
 */
export async function performAction(
  { call_id: callId, action, principal }: ActionRequest,
  { sessions, endings, steering }: PerformingParts,
): Promise<Performed> {
  const session = sessions.get(callId);
  if (!session) throw new Problem('invalid_state', 'The call is not live.');
  switch (action.name) {
    case 'digits':
      await sendTones(session, action.digits);
      return NOT_STEERED;
    case 'machine_answered':
      session.machineAnswered(action.greetingEnded);
      return NOT_STEERED;
    case 'disconnect': {
      // The wait begins before the end, so that a fast end is not missed.
      const endWritten = endings.waitForEnd(callId, DISCONNECT_TIMEOUT_MS);
      session.end('api_disconnect');
      await endWritten;
      return NOT_STEERED;
    }
    // The other actions steer the talk; their requests have a principal.
    default:
      return steering.perform(session, action, principal!);
  }
}
