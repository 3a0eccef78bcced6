import type { CallMarkup, MarkupStep } from '#telephony/port/call-markup.js';
import type { StreamInstruction } from '#telephony/port/carrier.js';
import type { CarrierHttpAnswer } from '#telephony/port/carrier-webhooks.js';
import { CARRIER_LANGUAGE, spokenText } from '#telephony/markup/spoken-text.js';
import { streamAddress } from '#telephony/markup/stream-address.js';
import { type XmlElement, xmlAnswer } from '#telephony/markup/xml-document.js';
import { withoutPlus } from '#telephony/wire/e164.js';

/**
 * The parameters of a stream as extra headers. These may only have letters and digits; any other character would
 * invalidate the whole list. Other characters are removed from names, and parameters with other values are left out.
 * None of them is needed: the token, which identifies the call, is in the URL.
 */
function extraHeaders(parameters: StreamInstruction['parameters']): string | undefined {
  const headers = Object.entries(parameters)
    .filter(([name, value]) => name !== 'token' && /^[A-Za-z0-9]+$/.test(value))
    .map(([name, value]) => `${name.replace(/[^A-Za-z0-9]/g, '')}=${value}`);
  return headers.length === 0 ? undefined : headers.join(',');
}

/** The address of a stream with its token in the path: tokens have characters that extra headers must not have. */
function addressWithToken(stream: StreamInstruction): string {
  const address = streamAddress(stream);
  const { token } = stream.parameters;
  return token === undefined ? address : `${address.replace(/\/$/, '')}/${encodeURIComponent(token)}`;
}

/** The elements of one step of markup; none for a sentence without words. */
function elements(step: MarkupStep): XmlElement[] {
  switch (step.kind) {
    case 'say': {
      const text = spokenText(step.text);
      const language = step.language === CARRIER_LANGUAGE ? undefined : step.language;
      return text === '' ? [] : [{ name: 'Speak', attributes: { language }, children: [text] }];
    }
    case 'stream':
      return [
        {
          name: 'Stream',
          attributes: {
            bidirectional: 'true',
            // Without it the call continues with the next element at once, while the stream runs.
            keepCallAlive: 'true',
            contentType: 'audio/x-mulaw;rate=8000',
            extraHeaders: extraHeaders(step.stream.parameters),
            // Reports a socket that cannot be opened: Plivo does not document whether the next element then follows.
            statusCallbackUrl: new URL('stream-status', step.streamEndedUrl).href,
          },
          children: [addressWithToken(step.stream)],
        },
        { name: 'Redirect', children: [step.streamEndedUrl] },
      ];
    case 'dial':
      return [
        {
          name: 'Dial',
          attributes: { callerId: withoutPlus(step.from) },
          children: [{ name: 'Number', children: [withoutPlus(step.to)] }],
        },
      ];
    case 'reject':
      return [{ name: 'Hangup', attributes: { reason: step.reason } }];
    case 'hang_up':
      return [{ name: 'Hangup' }];
  }
}

/**
 * Writes call-control markup as Plivo XML, as the answer to a callback.
 * Source: docs.plivo.com/docs/voice/xml (Speak, Stream, Redirect, Dial, Hangup)
 * @throws RangeError for a stream whose address has a query
 */
export function writePlivoXml(document: CallMarkup): CarrierHttpAnswer {
  return xmlAnswer(document.flatMap(elements));
}
