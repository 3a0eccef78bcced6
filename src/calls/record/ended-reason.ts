import type { FinalStatus } from './call-machine.js';

// Why a call ended: the values of `ended_reason`. `moveCall` writes the rule of a reason into the row of the call.

/** The side that caused an unwanted end; null for an end without a fault. */
export type Fault = 'caller' | 'callee' | 'carrier' | 'speech_provider' | 'platform' | 'policy' | null;

/** The columns that follow from an ended reason. */
interface EndRule {
  status: FinalStatus;
  fault: Fault;
  /** The text of the call's `error`; null for a normal end. */
  error: string | null;
}

function end(status: FinalStatus, fault: Fault, error: string | null): EndRule {
  return { status, fault, error };
}

/** Every value of `ended_reason`, with the final status, the fault and the error text of the call. */
export const ENDED_REASONS = {
  customer_hangup: end('completed', null, null),
  agent_hangup: end('completed', null, null),
  api_disconnect: end('completed', null, null),
  max_duration: end('completed', null, null),
  silence_timeout: end('completed', null, null),
  stream_disconnected: end('completed', null, null),
  transferred: end('completed', null, null),
  other_leg_ended: end('completed', null, null),
  voicemail: end('completed', 'callee', null),

  busy: end('failed', 'callee', 'the number is busy'),
  no_answer: end('failed', 'callee', 'nobody answered'),
  ring_timeout: end('failed', 'callee', 'nobody answered while it rang'),
  rejected: end('failed', 'callee', 'the call was rejected'),
  invalid_number: end('failed', 'caller', 'the network does not know the number'),
  dial_timeout: end('failed', 'carrier', 'the carrier did not connect the call in time'),
  provider_refused: end('failed', 'carrier', 'the carrier refused the call'),
  provider_rate_limited: end('failed', 'carrier', 'the carrier takes no more calls now'),
  provider_unreachable: end('failed', 'carrier', 'the carrier could not be reached'),
  provider_error: end('failed', 'carrier', 'the carrier failed'),
  uncertain: end(
    'failed',
    'carrier',
    'it is not known whether the call was dialled; it is not dialled again',
  ),
  stream_not_opened: end('failed', 'carrier', 'the carrier never opened the audio stream'),
  stream_error: end('failed', 'platform', 'the audio stream broke'),
  speech_provider_error: end('failed', 'speech_provider', 'the speech provider failed'),
  agent_error: end('failed', 'platform', 'the agent failed'),
  provider_not_configured: end('failed', 'platform', 'a provider of the agent is not configured'),
  no_capacity: end('failed', 'platform', 'no conversation slot became free in time'),
  expired: end('failed', 'platform', 'the call was not dialled in time'),
  damaged: end('failed', 'platform', 'what is kept of the call cannot be read'),
  server_shutdown: end('failed', 'platform', 'the service was stopped during the call'),
  server_crash: end('failed', 'platform', 'the service was interrupted during the call'),

  policy_blocked: end('failed', 'policy', 'the calling policy does not allow this call'),
  suppressed: end('failed', 'policy', 'the number is on the suppression list'),
  outside_calling_window: end('failed', 'policy', 'it is not calling time where the callee is'),
  attempt_cap: end('failed', 'policy', 'the number was called too often'),
  country_not_allowed: end('failed', 'policy', 'the country of the number is not allowed'),
  caller_id_not_yours: end('failed', 'policy', 'another workspace has registered the caller id'),
  premium_number: end('failed', 'policy', 'numbers of this kind are never called'),

  cancelled: end('cancelled', null, null),
  caller_hangup: end('missed', 'caller', 'the caller hung up before the call was answered'),
  lines_busy: end('missed', 'platform', 'no conversation slot was free for the caller'),
  no_agent: end('missed', 'platform', 'no agent answers this number'),
} as const satisfies Record<string, EndRule>;

export type EndedReason = keyof typeof ENDED_REASONS;
export const ENDED_REASON_NAMES = Object.keys(ENDED_REASONS) as [EndedReason, ...EndedReason[]];

/**
 * Why a call did not reach a person, as text, for the recipients of batches; null if a person was reached. An answering
 * machine is a normal end of a call, but it is not the person.
 */
export function unreachedError(reason: EndedReason): string | null {
  return reason === 'voicemail' ? 'an answering machine picked up' : ENDED_REASONS[reason].error;
}
