import { DateTime } from 'luxon';

/** The call of an agent. */
export interface CallFacts {
  callId: string;
  agentId: string | null;
  direction: 'inbound' | 'outbound';
  /** E.164; null if hidden. */
  callerNumber: string | null;
  calledNumber: string | null;
}

/** Names of the variables that exist in every call. */
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
 * The variables of every call. Days and times are those of its beginning, so that a prompt stays the same during the
 * call.
 * @param moment epoch milliseconds, and the zone for the local date and time
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
