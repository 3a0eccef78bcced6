import type { CallRow } from '#calls/record/call.js';
import type { FinishDetails } from './finish-call.js';

/** When somebody wants to be called again, and in which zone (IANA) they said so. Epoch milliseconds. */
export interface AgreedCallBack {
  at: number;
  timeZone: string;
}

/** Who makes the calls that were agreed on in other calls (port). */
export interface CallBacks {
  /**
   * Ends a call as `finishCall` does, and plans the call that was agreed on in it: both or neither. Where no call can
   * be planned, the call ends without.
   */
  finish(args: { callId: string; details: FinishDetails }, agreed: AgreedCallBack): Promise<CallRow | null>;
}

/** The call that was agreed on in a talk, at a time; null when there is none. */
export function agreedCallBack(talk: FinishDetails['talk'] | undefined): AgreedCallBack | null {
  const followUp = talk?.outcome.followUp;
  if (followUp?.kind !== 'call_back' || followUp.at === null) return null;
  return { at: followUp.at, timeZone: followUp.timeZone };
}
