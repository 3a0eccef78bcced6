import type {
  CarrierHttpRequest,
  CarrierEvent,
  CarrierRequestKind,
} from '#telephony/port/carrier-webhooks.js';
import { callIdIn, firstOf, numbersIn } from '#telephony/wire/call-fields.js';
import { refinedBySip } from '#telephony/wire/end-causes.js';
import { fieldsOf, type Fields } from '#telephony/wire/form-fields.js';
import { readTransfer } from '#telephony/wire/transfer-address.js';
import { TWIML_STATUSES } from './twiml-statuses.js';

/**
 * Decodes a callback of a Twilio-compatible carrier into events, for `CarrierWebhookDispatcher`: form fields in
 * CamelCase. A request about a call without the call's id gives no event. Reports have the time of arrival, because the
 * carrier's own times are by its own clock.
 */
export function readTwimlRequest(
  carrier: string,
  kind: CarrierRequestKind,
  request: CarrierHttpRequest,
  dialRef: string | null,
): CarrierEvent[] {
  const fields = fieldsOf(request);
  const providerCallId = callIdIn(fields);
  if (kind === 'incoming') return [{ kind, providerCallId, ...numbersIn(fields) }];
  if (providerCallId === null) return [];
  switch (kind) {
    case 'answer':
      return [{ kind: 'answered', providerCallId, dialRef }];
    case 'stream-ended':
      return [{ kind: 'stream_ended', providerCallId }];
    case 'machine':
      return machineEvents(fields, providerCallId, dialRef);
    case 'status':
      return reportEvents(carrier, { fields, providerCallId, dialRef, at: request.receivedAt });
    case 'transfer':
      return readTransfer(request, providerCallId);
    case 'recording':
    case 'stream-status':
      return [];
  }
}

/** The report of a call's status; empty for an unknown status. */
function reportEvents(
  carrier: string,
  call: { fields: Fields; providerCallId: string; dialRef: string | null; at: number },
): CarrierEvent[] {
  const { fields, providerCallId, dialRef, at } = call;
  // The names of these fields differ between compatible carriers.
  const writtenStatus = firstOf(fields, ['CallStatus', 'call_status', 'Status'])?.toLowerCase() ?? '';
  const knownStatus = TWIML_STATUSES.get(writtenStatus);
  if (knownStatus === undefined) return [];
  const code = firstOf(fields, ['SipResponseCode', 'SipResultCode', 'SipHangupCause', 'ErrorCode']);
  const status = refinedBySip(knownStatus, code);
  return [{ kind: 'report', report: { carrier, dialRef, providerCallId, status, code, hungUpBy: null, at } }];
}

/** The result of answering-machine detection, such as `machine_end_beep` in `AnsweredBy`; empty without this field. */
function machineEvents(fields: Fields, providerCallId: string, dialRef: string | null): CarrierEvent[] {
  const answeredByField = fields.get('AnsweredBy')?.toLowerCase();
  if (answeredByField === undefined) return [];
  const answeredBy = answeredByField.startsWith('machine')
    ? 'machine'
    : answeredByField === 'human' || answeredByField === 'fax'
      ? answeredByField
      : 'unknown';
  return [
    {
      kind: 'machine',
      providerCallId,
      dialRef,
      answeredBy,
      greetingEnded: answeredByField.startsWith('machine_end'),
    },
  ];
}
