/**
 * Detects which protocol a WebSocket client of the audio socket uses: the plain one (`raw-audio.ts`), or that of a
 * carrier's media stream. Carriers connect to the same address, so the first messages decide. Used by the handshake of
 * the audio socket.
 */
import { ProtocolError, type StreamProtocol } from '#media/protocols/stream-protocol.js';
import { parseJsonMessage, type Json } from '#media/protocols/carrier-fields.js';
import { REMOTE_CARRIERS } from './remote-carriers.js';

/**
 * The stream protocols of all carriers. The first that recognises a message is used. Twilio's comes last (`isCommon`):
 * nothing in its messages distinguishes them from those of other carriers.
 */
const CARRIER_STREAMS = [...new Set(REMOTE_CARRIERS.map(({ stream }) => stream))].toSorted(
  (a, b) => Number(a.isCommon ?? false) - Number(b.isCommon ?? false),
);

/** True for the greeting `connected` of several carriers. The message `start` after it shows which carrier it is. */
function isGreeting(json: Json): boolean {
  return json['event'] === 'connected';
}

/** True if a message begins a carrier's stream. */
export function isCarrierStream(json: Json): boolean {
  return isGreeting(json) || CARRIER_STREAMS.some(({ recognises }) => recognises(json));
}

/**
 * The result of the detection: `plain` for the plain protocol; a new decoder of a carrier's protocol, to which the
 * caller passes the same message; or `greeted` if only a carrier's greeting has arrived.
 */
export type DetectedProtocol = StreamProtocol | 'plain' | 'greeted';

/**
 * Returns the detector for one client: a function that takes the client's messages in order. The caller passes the
 * first message, and further ones while the result is `greeted`.
 * @throws ProtocolError for text that is no JSON object, and for audio after a greeting
 */
export function createProtocolDetector(): (message: Buffer, isBinary: boolean) => DetectedProtocol {
  // After a carrier's greeting the client cannot use the plain protocol.
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
