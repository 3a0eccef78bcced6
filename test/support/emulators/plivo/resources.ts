import { randomUUID } from 'node:crypto';
import { toInstant } from '#kernel/time/clock.js';
import type { PlivoCall, PlivoOrder } from './emulated-call.js';

const LONGEST_RING_SECONDS = 600;
const METHODS = ['answer_method', 'ring_method', 'hangup_method', 'machine_detection_method'];
const ADDRESSES = ['answer_url', 'ring_url', 'hangup_url', 'machine_detection_url'];

/** Why a place request is invalid; null if it is valid. */
export function badOrder(order: PlivoOrder, isValidNumber: (number: string) => boolean): string | null {
  const { from = '', to = '', answer_url: answerUrl } = order;
  if (!/^\d+$/.test(from)) return 'from parameter is invalid';
  if (!/^\d+$/.test(to) || !isValidNumber(`+${to}`)) return 'to parameter is invalid';
  if (!answerUrl) return 'answer_url parameter not present';
  const bad = ADDRESSES.find((name) => order[name] !== undefined && !URL.canParse(order[name]));
  if (bad) return `${bad} parameter is not valid`;
  if (METHODS.some((name) => !['POST', undefined].includes(order[name]))) return 'a method is not valid';
  const seconds = Number(order['ring_timeout'] ?? 120);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_RING_SECONDS)
    return 'ring_timeout parameter is not valid';
  return null;
}

export function queuedCall({ requestId, order }: PlivoCall): object {
  const { from, to } = order;
  return {
    api_id: randomUUID(),
    call_status: 'queued',
    direction: 'outbound',
    from,
    to,
    request_uuid: requestId,
  };
}

export function liveCall({ callId, requestId, status, order }: PlivoCall): object {
  const { from, to } = order;
  const direction = requestId === null ? 'inbound' : 'outbound';
  return { api_id: randomUUID(), call_uuid: callId, call_status: status, direction, from, to };
}

/** The record of an ended call. */
export function recordOf({ callId, requestId, end, answeredAt, order }: PlivoCall): object {
  return {
    api_id: randomUUID(),
    call_uuid: callId,
    call_direction: requestId === null ? 'inbound' : 'outbound',
    answer_time: answeredAt === null ? null : toInstant(answeredAt),
    hangup_cause_code: end?.code,
    hangup_cause_name: end?.name,
    hangup_source: end?.source,
    total_amount: '0.01300',
    from_number: order['from'],
    to_number: order['to'],
  };
}
