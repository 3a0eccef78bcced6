import { readDollars } from '#telephony/wire/dollars.js';
import type {
  CarrierHttpRequest,
  CarrierEvent,
  CarrierRequestKind,
} from '#telephony/port/carrier-webhooks.js';
import { callIdIn, numbersIn } from '#telephony/wire/call-fields.js';
import { fieldsOf, type Fields } from '#telephony/wire/form-fields.js';
import { whoHungUp, statusOf } from './plivo-statuses.js';
import { readTransfer } from '#telephony/wire/transfer-address.js';

/** The name of the carrier Plivo in settings, addresses and reports. */
export const PLIVO = 'plivo';

/** Longer texts are cut. */
const MAX_TEXT_LENGTH = 256;

/** The id of a call, and that of the request that placed it. */
export interface PlivoIds {
  callId: string;
  /** Null for inbound calls. */
  requestId: string | null;
}

/** A decoded request of Plivo. */
interface CallFields extends PlivoIds {
  fields: Fields;
  /** The dial reference in the URL; null for an inbound call. */
  dialRef: string | null;
  /** When the request arrived, in epoch milliseconds. */
  at: number;
}

/** The ids of the call that a callback is about; null if it has none. */
export function idsIn(fields: Fields): PlivoIds | null {
  const requestId = textOf(fields, 'RequestUUID') ?? textOf(fields, 'ALegRequestUUID');
  // A dial request that never became a call has only its own id.
  const callId = textOf(fields, 'CallUUID') ?? textOf(fields, 'call_uuid') ?? callIdIn(fields) ?? requestId;
  return callId === null ? null : { callId, requestId };
}

/**
 * Decodes a callback of Plivo into events, for `CarrierWebhookDispatcher`: form fields in CamelCase, numbers without
 * plus. Reports have the time of arrival, because Plivo's own times are by Plivo's clock.
 */
export function readPlivoRequest(
  kind: CarrierRequestKind,
  request: CarrierHttpRequest,
  dialRef: string | null,
): readonly CarrierEvent[] {
  const fields = fieldsOf(request);
  const ids = idsIn(fields);
  const call = ids && { ...ids, fields, dialRef, at: request.receivedAt };
  // An application without a hangup URL sends the end of a call to its answer URL.
  if (call && isEnd(fields) && (kind === 'incoming' || kind === 'answer')) return statusEvents(call);
  if (kind === 'incoming') return [{ kind, providerCallId: ids?.callId ?? null, ...numbersIn(fields) }];
  if (call === null) return [];
  switch (kind) {
    case 'answer':
      return [{ kind: 'answered', dialRef, ...reportedIds(call) }, ...reportEvents(call)];
    case 'status':
      return statusEvents(call);
    case 'machine':
      return machineEvents(call);
    case 'stream-ended':
      return [{ kind: 'stream_ended', providerCallId: call.callId }];
    case 'transfer':
      return readTransfer(request, call.callId);
    case 'stream-status':
      // Other events (`StartStream`, `StopStream`) are known from the socket.
      return textOf(fields, 'Event')?.toLowerCase() === 'droppedstream'
        ? [{ kind: 'stream_failed', providerCallId: call.callId }]
        : [];
    case 'recording':
      return [];
  }
}

/** The events of a status callback: report and price. */
function statusEvents(call: CallFields): CarrierEvent[] {
  return [...reportEvents(call), ...priceEvents(call)];
}

/** The report of a status; empty for an unknown status. */
function reportEvents(call: CallFields): CarrierEvent[] {
  const { fields, dialRef, at } = call;
  const code = textOf(fields, 'HangupCauseCode');
  const cause = textOf(fields, 'HangupCause');
  const status = statusOf({ status: textOf(fields, 'CallStatus'), code, cause });
  if (status === null) return [];
  const isOutbound = dialRef !== null || fields.get('Direction') === 'outbound';
  const side = status === 'completed' ? whoHungUp(fields, isOutbound) : null;
  return [
    {
      kind: 'report',
      report: {
        carrier: PLIVO,
        dialRef,
        ...reportedIds(call),
        status,
        code: code ?? cause,
        hungUpBy: side,
        at,
      },
    },
  ];
}

/** The price of the call in US dollars, if the callback of its end has one (undocumented; else see `priceOf`). */
function priceEvents({ fields, callId: providerCallId, dialRef }: CallFields): CarrierEvent[] {
  const usd = isEnd(fields) ? readDollars(textOf(fields, 'TotalCost')) : null;
  return usd === null ? [] : [{ kind: 'priced', providerCallId, dialRef, usd }];
}

/** The result of answering-machine detection; empty if `Machine` is neither `true` nor `false`. */
function machineEvents({ fields, callId: providerCallId, dialRef }: CallFields): CarrierEvent[] {
  const isMachine = textOf(fields, 'Machine')?.toLowerCase();
  if (isMachine !== 'true' && isMachine !== 'false') return [];
  const answeredBy = isMachine === 'true' ? 'machine' : 'human';
  return [{ kind: 'machine', providerCallId, dialRef, answeredBy, greetingEnded: false }];
}

/** True if a callback reports the end of a call. */
function isEnd(fields: Fields): boolean {
  return fields.get('Event')?.toLowerCase() === 'hangup';
}

/** The ids in an event. `placedAs` is the id of the dial request, under which the service has stored the call first. */
function reportedIds({ callId, requestId }: PlivoIds): { providerCallId: string; placedAs?: string } {
  const isRenamed = requestId !== null && requestId !== callId;
  return { providerCallId: callId, ...(isRenamed ? { placedAs: requestId } : {}) };
}

/** A field as a short text without zero bytes; null if it is missing or empty. */
function textOf(fields: Fields, name: string): string | null {
  return fields.get(name)?.replaceAll('\0', '').trim().slice(0, MAX_TEXT_LENGTH) || null;
}
