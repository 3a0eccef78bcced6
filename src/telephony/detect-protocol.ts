import { ProtocolError, type StreamProtocol } from '#media/protocols/stream-protocol.js';
import { CARRIER_STREAMS, isGreeting } from './carrier-streams.js';
import { parseJsonMessage } from '#media/protocols/carrier-fields.js';

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
