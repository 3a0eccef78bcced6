import { ProtocolError } from '../stream-protocol.js';

/** A text frame as a JSON object. @throws ProtocolError for anything else */
export function parseJsonMessage(message: Buffer): Readonly<Record<string, unknown>> {
  const json = tryParse(message.toString());
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ProtocolError(1007, 'text frames hold JSON objects');
  }
  return json as Record<string, unknown>;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
