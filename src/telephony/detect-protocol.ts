import { ProtocolError, type StreamProtocol } from '#media/protocols/stream-protocol.js';
import { CARRIER_STREAMS, isGreeting } from './carrier-streams.js';
import { parseJsonMessage } from '#media/protocols/json-message.js';

/**
 * What a peer speaks: the plain protocol, that of a carrier (new, the message still unread), or that of a carrier which
 * has only greeted so far.
 */
export type Detected = StreamProtocol | 'plain' | 'greeted';

/**
 * Tells what one peer speaks by its first messages, which it is to be asked about until it is sure.
 * @throws ProtocolError for text that is no JSON object, and for sound after a greeting
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
