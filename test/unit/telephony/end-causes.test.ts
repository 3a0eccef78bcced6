import { describe, expect, it } from 'vitest';
import type { CarrierEvent } from '#telephony/port/carrier-webhooks.js';
import { readJambonzRequest } from '#telephony/carriers/jambonz/jambonz-callbacks.js';
import { statusOf } from '#telephony/carriers/plivo/plivo-statuses.js';
import { readTelnyxEvent } from '#telephony/carriers/telnyx/telnyx-events.js';
import { readTexmlRequest } from '#telephony/carriers/telnyx/texml-callbacks.js';
import { readTwimlRequest } from '#telephony/carriers/twilio/twiml-callbacks.js';
import { carrierRequest } from '#test/support/carrier-request.js';

const REF = 'dial_01kakb8x6te1tr7m3qf0c9w2zd';
const address = 'https://calls.test/webhook/carrier/status';
const form = (fields: Record<string, string>) =>
  carrierRequest({ url: address, body: new URLSearchParams({ CallSid: 'CA1', ...fields }).toString() });
const json = (body: unknown) =>
  carrierRequest({
    url: address,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const told = ([event]: readonly CarrierEvent[]) => (event?.kind === 'report' ? event.report.status : null);

/** How each carrier tells that a call has failed, with the answer of SIP. */
const BY_SIP: Record<string, (answer: string) => string | null> = {
  Twilio: (SipResponseCode) =>
    told(readTwimlRequest('twilio', 'status', form({ CallStatus: 'failed', SipResponseCode }), REF)),
  'Telnyx, Call Control': (sip_hangup_cause) =>
    telnyxEvent({ hangup_cause: 'unspecified', sip_hangup_cause }),
  'Telnyx, TeXML': (SipHangupCause) =>
    told(readTexmlRequest('telnyx_texml', 'status', form({ CallStatus: 'failed', SipHangupCause }), REF)),
  jambonz: (sip_status) =>
    told(readJambonzRequest('status', json({ call_sid: 'b5e3', call_status: 'failed', sip_status }), REF)),
};

/** The same with the name of a cause. */
const BY_CAUSE: Record<string, (cause: string) => string | null> = {
  'Telnyx, Call Control': (hangup_cause) => telnyxEvent({ hangup_cause }),
  'Telnyx, TeXML': (HangupCause) =>
    told(readTexmlRequest('telnyx_texml', 'status', form({ CallStatus: 'failed', HangupCause }), REF)),
  Plivo: (cause) => statusOf({ status: 'failed', code: null, cause: cause.toUpperCase() }),
};

function telnyxEvent(payload: object): string | null {
  const data = { event_type: 'call.hangup', payload: { call_control_id: 'v3:1', ...payload } };
  return told(readTelnyxEvent(json({ data }), REF));
}

describe.each(Object.entries(BY_SIP))('a call of %s that failed with', (_, read) => {
  it.each([
    ['403', 'rejected'],
    ['404', 'invalid_number'],
    ['408', 'no_answer'],
    ['410', 'invalid_number'],
    ['480', 'no_answer'],
    ['484', 'invalid_number'],
    ['486', 'busy'],
    ['600', 'busy'],
    ['603', 'rejected'],
    ['604', 'invalid_number'],
    ['607', 'rejected'],
    ['608', 'rejected'],
    ['487', 'failed'],
    ['503', 'failed'],
  ])('%s is %s', (answer, status) => {
    expect(read(answer)).toBe(status);
  });
});

describe.each(Object.entries(BY_CAUSE))('a call of %s that failed for', (_, read) => {
  it.each([
    ['user_busy', 'busy'],
    ['no_answer', 'no_answer'],
    ['no_user_response', 'no_answer'],
    ['timeout', 'timeout'],
    ['call_rejected', 'rejected'],
    ['not_found', 'invalid_number'],
    ['unallocated_number', 'invalid_number'],
    ['invalid_number_format', 'invalid_number'],
    ['number_changed', 'invalid_number'],
    ['originator_cancel', 'cancelled'],
    ['unspecified', 'failed'],
  ])('%s is %s', (cause, status) => {
    expect(read(cause)).toBe(status);
  });
});
