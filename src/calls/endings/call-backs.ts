import type { CallRow } from '#calls/record/call.js';
import type { FinishDetails } from './finish-call.js';

/** The time of an agreed call-back (epoch milliseconds), and the IANA zone in which it was named. */
export interface AgreedCallBack {
  at: number;
  timeZone: string;
}

/**
 * Port to the schedules module, which plans agreed call-backs. `CallEndings` uses it at the end of a talk in which a
 * call-back was agreed on.
 */
export interface CallBacks {
  /**
   * Ends a call as `finishCall` does and plans the agreed call-back: both or neither. If no call-back can be planned,
   * the call ends without one. Returns the ended call; null when it does not exist.
   */
  finish(args: { callId: string; details: FinishDetails }, agreed: AgreedCallBack): Promise<CallRow | null>;
}

/** The call-back that was agreed on in a talk, with a time; null when there is none. */
export function agreedCallBack(talk: FinishDetails['talk'] | undefined): AgreedCallBack | null {
  const followUp = talk?.outcome.followUp;
  if (followUp?.kind !== 'call_back' || followUp.at === null) return null;
  return { at: followUp.at, timeZone: followUp.timeZone };
}
