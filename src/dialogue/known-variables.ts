import { DateTime } from 'luxon';

/** The facts of a call that an agent's texts may contain, as the calls module knows them when the call is answered. */
export interface CallFacts {
  callId: string;
  agentId: string | null;
  direction: 'inbound' | 'outbound';
  /** E.164; null if hidden or unknown, as for `calledNumber`. */
  callerNumber: string | null;
  calledNumber: string | null;
}

/** Names of the variables that exist in every call: the service fills them, so customers need not supply them. */
export const KNOWN_VARIABLES = [
  'agent_name',
  'now',
  'today',
  'weekday',
  'time_zone',
  'call_id',
  'direction',
  'caller_number',
  'called_number',
] as const;

/**
 * The values of {@link KNOWN_VARIABLES}, for the agent's texts and prompt. Day and time are those of the call's
 * beginning, so that a prompt stays the same during the call.
 * @param call null where there is no call, as in the preview of a prompt: `call_id`, `direction` and the numbers are
 *   missing then
 * @param moment beginning of the call: epoch milliseconds, and the IANA zone for the local date and time
 */
export function knownVariables(
  agentName: string,
  call: CallFacts | null,
  moment: { at: number; timeZone: string },
): Record<string, string> {
  const now = DateTime.fromMillis(moment.at, { zone: moment.timeZone }).setLocale('en-US');
  return {
    agent_name: agentName,
    now: now.toFormat("yyyy-MM-dd'T'HH:mm"),
    today: now.toFormat('yyyy-MM-dd'),
    weekday: now.toFormat('cccc'),
    time_zone: moment.timeZone,
    ...(call && {
      call_id: call.callId,
      direction: call.direction,
      caller_number: call.callerNumber ?? '',
      called_number: call.calledNumber ?? '',
    }),
  };
}
