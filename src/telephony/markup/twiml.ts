import type { CallMarkup, MarkupStep } from '#telephony/port/call-markup.js';
import type { StreamInstruction } from '#telephony/port/carrier.js';
import type { CarrierHttpAnswer } from '#telephony/port/carrier-webhooks.js';
import { CARRIER_LANGUAGE, spokenText } from './spoken-text.js';
import { streamAddress } from './stream-address.js';
import { type XmlElement, xmlAnswer } from './xml-document.js';

/** The differences between carriers that read TwiML (Twilio's XML for call control). */
export interface TwimlVariant {
  /** Additional attributes of `<Stream>`, such as the codec. */
  streamAttributes: Readonly<Record<string, string>>;
  /** True if `<Connect>` requests its `action` when the stream ends; otherwise a `<Redirect>` follows it. */
  connectHasAction: boolean;
}

/** TwiML of Twilio, also used for the carrier `generic`, which claims to be compatible. */
export const TWILIO: TwimlVariant = { streamAttributes: {}, connectHasAction: true };

/** cXML (LaML) of SignalWire, whose documentation of `<Connect>` has no attributes. */
export const SIGNALWIRE: TwimlVariant = { streamAttributes: {}, connectHasAction: false };

/**
 * TeXML of Telnyx, whose documentation of `<Connect>` has no attributes. By default its streams are MP3 in one
 * direction and the codec of the line in the other, so both are set.
 */
export const TELNYX: TwimlVariant = {
  streamAttributes: { codec: 'PCMU', bidirectionalMode: 'rtp', bidirectionalCodec: 'PCMU' },
  connectHasAction: false,
};

/** The elements that stream a call's audio, and then request further markup. */
function connect(stream: StreamInstruction, streamEndedUrl: string, variant: TwimlVariant): XmlElement[] {
  const element: XmlElement = {
    name: 'Connect',
    attributes: { action: variant.connectHasAction ? streamEndedUrl : undefined },
    children: [
      {
        name: 'Stream',
        attributes: { url: streamAddress(stream), ...variant.streamAttributes },
        children: Object.entries(stream.parameters).map(([name, value]) => ({
          name: 'Parameter',
          attributes: { name, value },
        })),
      },
    ],
  };
  return variant.connectHasAction ? [element] : [element, { name: 'Redirect', children: [streamEndedUrl] }];
}

/**
 * The elements of one step of markup; none for a sentence without words. `<Say>` does not name the default language.
 */
function elementsOf(step: MarkupStep, variant: TwimlVariant): XmlElement[] {
  switch (step.kind) {
    case 'say': {
      const text = spokenText(step.text);
      const language = step.language === CARRIER_LANGUAGE ? undefined : step.language;
      return text === '' ? [] : [{ name: 'Say', attributes: { language }, children: [text] }];
    }
    case 'stream':
      return connect(step.stream, step.streamEndedUrl, variant);
    case 'dial':
      return [{ name: 'Dial', attributes: { callerId: step.from }, children: [step.to] }];
    case 'reject':
      return [{ name: 'Reject', attributes: { reason: step.reason } }];
    case 'hang_up':
      return [{ name: 'Hangup' }];
  }
}

/**
 * Writes call-control markup as TwiML, or in a carrier's variant of it, as the answer to the carrier's request.
 * Sources: twilio.com/docs/voice/twiml (verbs Say, Connect, Stream, Dial, Reject, Hangup); developer.signalwire.com,
 * cXML; developers.telnyx.com, TeXML verbs.
 * @throws RangeError for a stream whose address has a query or a fragment
 */
export function writeTwiml(document: CallMarkup, variant: TwimlVariant = TWILIO): CarrierHttpAnswer {
  return xmlAnswer(document.flatMap((step) => elementsOf(step, variant)));
}
