import { ProtocolError, type StreamProtocol } from '#media/protocols/stream-protocol.js';
import { parseJsonMessage, type Json } from '#media/protocols/carrier-fields.js';
import { REMOTE_CARRIERS } from './remote-carriers.js';

/** The stream protocols of all carriers. The first that recognises a message is used, the common one last. */
const CARRIER_STREAMS = [...new Set(REMOTE_CARRIERS.map(({ stream }) => stream))].toSorted(
  (a, b) => Number(a.isCommon ?? false) - Number(b.isCommon ?? false),
);

/** Several carriers greet with `connected`; the carrier is known by the `start` that follows. */
function isGreeting(json: Json): boolean {
  return json['event'] === 'connected';
}

/** True if the message begins a carrier's stream. */
export function isCarrierStream(json: Json): boolean {
  return isGreeting(json) || CARRIER_STREAMS.some(({ recognises }) => recognises(json));
}

/**
 * The protocol of a peer: the plain one, that of a carrier (new, with the message still to be decoded), or so far only
 * a carrier's greeting.
 */
export type Detected = StreamProtocol | 'plain' | 'greeted';

/**
 * Detects the protocol of one peer from its first messages; call it until the answer is not `greeted`.
 * @throws ProtocolError for text that is no JSON object, and for audio after a greeting
 */
export function createProtocolDetector(): (message: Buffer, isBinary: boolean) => Detected {
  let hasGreeted = false;
  return (message, isBinary) => {
    if (isBinary) {
      if (hasGreeted) throw new ProtocolError('a stream that began with text has its start in text');
      return 'plain';
    }
    const json = parseJsonMessage(message);
    const found = CARRIER_STREAMS.find(({ recognises }) => recognises(json));
    if (found) return found.create();
    hasGreeted ||= isGreeting(json);
    return hasGreeted ? 'greeted' : 'plain';
  };
}
