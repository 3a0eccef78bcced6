import type {
  CarrierHttpRequest,
  CarrierEvent,
  CarrierRequestKind,
} from '#telephony/port/carrier-webhooks.js';
import type { CarrierReport } from '#telephony/port/carrier.js';
import { refinedByCause } from '#telephony/wire/end-causes.js';
import { fieldsOf, type Fields } from '#telephony/wire/form-fields.js';
import { readTwimlRequest } from '#telephony/carriers/twilio/twiml-callbacks.js';

/**
 * Decodes a callback about a TeXML call into events, for the carriers `telnyx_texml` and `telnyx`: Twilio's fields and
 * some of Telnyx's own, which refine the status. Source: Telnyx, "TeXML call status callbacks".
 */
export function readTexmlRequest(
  carrier: string,
  kind: CarrierRequestKind,
  request: CarrierHttpRequest,
  dialRef: string | null,
): CarrierEvent[] {
  const fields = fieldsOf(request);
  return readTwimlRequest(carrier, kind, request, dialRef).map((event) =>
    event.kind === 'report' ? { kind: 'report', report: refined(event.report, fields) } : event,
  );
}

/** A report with Telnyx's hangup cause, and the side that hung up. */
function refined(report: CarrierReport, fields: Fields): CarrierReport {
  const cause = fields.get('HangupCause') || null;
  const code = cause?.slice(0, 64) ?? report.code;
  if (report.status === 'completed') return { ...report, code, hungUpBy: whoHungUp(report, fields) };
  return { ...report, code, status: refinedByCause(report.status, cause) };
}

/** The side that hung up, which Telnyx names `caller` or `callee`: the customer is the callee of an outbound call. */
function whoHungUp({ dialRef }: CarrierReport, fields: Fields): 'customer' | 'agent' | null {
  const source = fields.get('HangupSource');
  if (source !== 'caller' && source !== 'callee') return null;
  return (source === 'callee') === (dialRef !== null) ? 'customer' : 'agent';
}
