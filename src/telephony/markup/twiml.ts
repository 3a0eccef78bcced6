import type { CallDocument, CallStep } from '#telephony/port/call-document.js';
import type { StreamInstruction } from '#telephony/port/carrier.js';
import type { CarrierHttpAnswer } from '#telephony/port/carrier-webhooks.js';
import { CARRIER_LANGUAGE, spokenText } from './spoken-text.js';
import { streamAddress } from './stream-address.js';
import { type XmlElement, answerXml } from './xml-document.js';

/** What the carriers that read TwiML do not have in common. */
export interface TwimlDialect {
  streamAttributes: Readonly<Record<string, string>>;
  /** Whether `<Connect>` asks its `action` how the call goes on; where it does not, a `<Redirect>` after it does. */
  connectHasAction: boolean;
}

/** Twilio's own, and every carrier's that says it reads TwiML. */
export const TWILIO: TwimlDialect = { streamAttributes: {}, connectHasAction: true };

/** cXML (LaML), of SignalWire. Its `<Connect>` documents no attributes. */
export const SIGNALWIRE: TwimlDialect = { streamAttributes: {}, connectHasAction: false };

/**
 * TeXML, of Telnyx. Its streams are MP3 one way, and in the codec of the line the other, unless told otherwise; its
 * `<Connect>` documents no attributes either.
 */
export const TELNYX: TwimlDialect = {
  streamAttributes: { codec: 'PCMU', bidirectionalMode: 'rtp', bidirectionalCodec: 'PCMU' },
  connectHasAction: false,
};

function connect(stream: StreamInstruction, streamEndedUrl: string, dialect: TwimlDialect): XmlElement[] {
  const element: XmlElement = {
    name: 'Connect',
    attributes: { action: dialect.connectHasAction ? streamEndedUrl : undefined },
    children: [
      {
        name: 'Stream',
        attributes: { url: streamAddress(stream), ...dialect.streamAttributes },
        children: Object.entries(stream.parameters).map(([name, value]) => ({
          name: 'Parameter',
          attributes: { name, value },
        })),
      },
    ],
  };
  return dialect.connectHasAction ? [element] : [element, { name: 'Redirect', children: [streamEndedUrl] }];
}

function verbs(step: CallStep, dialect: TwimlDialect): XmlElement[] {
  switch (step.kind) {
    case 'say': {
      const text = spokenText(step.text);
      const language = step.language === CARRIER_LANGUAGE ? undefined : step.language;
      return text === '' ? [] : [{ name: 'Say', attributes: { language }, children: [text] }];
    }
    case 'stream':
      return connect(step.stream, step.streamEndedUrl, dialect);
    case 'dial':
      return [{ name: 'Dial', attributes: { callerId: step.from }, children: [step.to] }];
    case 'reject':
      return [{ name: 'Reject', attributes: { reason: step.reason } }];
    case 'hang_up':
      return [{ name: 'Hangup' }];
  }
}

/**
 * A document as TwiML, or as the language of a carrier that is nearly TwiML. Source: twilio.com/docs/voice/twiml (verbs
 * Say, Connect, Stream, Dial, Reject, Hangup); developer.signalwire.com, cXML; developers.telnyx.com, TeXML verbs.
 * @throws RangeError for a stream whose address has a query
 */
export function writeTwiml(document: CallDocument, dialect: TwimlDialect = TWILIO): CarrierHttpAnswer {
  return answerXml(document.flatMap((step) => verbs(step, dialect)));
}
