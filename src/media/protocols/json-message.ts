import { ProtocolError } from './stream-protocol.js';
import type { Json } from './carrier-fields.js';

/** A text frame as a JSON object. @throws ProtocolError for anything else */
export function parseJsonMessage(message: Buffer): Json {
  const json = tryParse(message.toString());
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ProtocolError('text frames hold JSON objects');
  }
  return json as Json;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
