import type { CarrierHttpRequest, CarrierNews, CarrierRequestKind } from '../carrier-webhooks.js';
import type { CarrierReport, CarrierStatus } from '../carrier.js';
import { fieldsOf, type Fields } from '../form-fields.js';
import { readTwimlRequest } from '../twilio/twiml-callbacks.js';

/** `HangupCause` of calls that nobody took, where it says more than `CallStatus` does. */
const CAUSES: ReadonlyMap<string, CarrierStatus> = new Map([
  ['call_rejected', 'rejected'],
  ['not_found', 'invalid_number'],
]);

/**
 * Reads what Telnyx says of a TeXML call: Twilio's fields and some of its own. That a call has begun is told to the
 * desk at once, as it may be the first word of its id: the answer to the request need not name it.
 * Source: Telnyx, "TeXML call status callbacks".
 */
export function readTexmlRequest(
  carrier: string,
  kind: CarrierRequestKind,
  request: CarrierHttpRequest,
  dialRef: string | null,
): CarrierNews[] {
  const fields = fieldsOf(request);
  const providerCallId = fields.get('CallSid')?.slice(0, 256).replaceAll('\0', '');
  if (kind === 'status' && providerCallId && fields.get('CallStatus') === 'initiated') {
    const told = { status: 'ringing', code: null, hungUpBy: null, at: request.receivedAt } as const;
    return [{ kind: 'report', report: { carrier, dialRef, providerCallId, ...told } }];
  }
  return readTwimlRequest(carrier, kind, request, dialRef).map((news) =>
    news.kind === 'report' ? { kind: 'report', report: refined(news.report, fields) } : news,
  );
}

function refined(report: CarrierReport, fields: Fields): CarrierReport {
  const cause = fields.get('HangupCause') || null;
  const code = cause?.slice(0, 64) ?? report.code;
  if (report.status === 'completed') return { ...report, code, hungUpBy: whoHungUp(report, fields) };
  const isOpen = report.status === 'failed' || report.status === 'busy';
  return { ...report, code, status: (isOpen && CAUSES.get(cause ?? '')) || report.status };
}

/** The carrier tells the side that called from the one that was called. */
function whoHungUp({ dialRef }: CarrierReport, fields: Fields): 'customer' | 'agent' | null {
  const source = fields.get('HangupSource');
  if (source !== 'caller' && source !== 'callee') return null;
  return (source === 'callee') === (dialRef !== null) ? 'customer' : 'agent';
}
