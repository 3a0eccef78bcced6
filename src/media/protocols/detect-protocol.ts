import { MEDIA_STREAM_EVENTS } from './media-stream.js';
import { parseJsonMessage } from './json-message.js';

/** Which protocol a peer speaks, by its first message. @throws ProtocolError for text that is no JSON object */
export function detectProtocol(firstMessage: Buffer, isBinary: boolean): 'media_stream' | 'raw_audio' {
  if (isBinary) return 'raw_audio';
  return MEDIA_STREAM_EVENTS.has(parseJsonMessage(firstMessage)['event']) ? 'media_stream' : 'raw_audio';
}
