import type { CarrierStream } from '#telephony/wire/carrier-definition.js';
import { z } from 'zod';
import { ProtocolError, type StreamProtocol } from '#media/protocols/stream-protocol.js';
import { createBinaryMedia } from '#media/protocols/binary-media.js';
import {
  callIdField,
  digitField,
  flatParameters,
  dtmfMessage,
  markNameField,
  readFields,
  type Json,
} from '#media/protocols/carrier-fields.js';

/** The event of the first message. */
const CONNECTED = 'websocket:connected';
/** The content type of 16-bit audio, with its sample rate. */
const L16 = /^audio\/l16\s*;\s*rate=(\d+)\s*$/i;

const connectedSchema = z.object({
  'content-type': z.string(),
  // Vonage does not send the call's id: `writeNcco` puts it into the headers.
  call_uuid: callIdField.optional(),
});
const dtmfSchema = z.object({ digit: digitField });
const notifySchema = z.object({ payload: z.object({ mark: markNameField.optional() }).nullish() });

/** True if a message begins a stream of this protocol. */
function isVonageConnected(json: Json): boolean {
  return json['event'] === CONNECTED;
}

/**
 * Decodes and encodes the audio of Vonage's WebSocket endpoint, for the audio socket: one JSON text frame with the
 * format and the headers of the NCCO (Vonage's markup), then binary audio in both directions. Audio must be sent in
 * frames of exactly 20 ms, which is the length of all frames of the service. A mark is a notification that Vonage sends
 * back when the audio before it was played; a clear cancels the pending ones.
 */
export function createVonageStream(): StreamProtocol {
  return createBinaryMedia({
    name: 'vonage_stream',
    requestedRateHz: 16_000,
    firstMessage: CONNECTED,
    readStart(json) {
      if (!isVonageConnected(json)) return null;
      const { 'content-type': format, call_uuid: providerCallId = null } = readFields(connectedSchema, json);
      const rate = L16.exec(format)?.[1];
      if (rate === undefined) throw new ProtocolError('only audio/l16 with its rate is spoken here');
      const parameters = flatParameters(json, ['event', 'content-type']);
      return { message: { kind: 'start', providerCallId, parameters }, rateHz: Number(rate) };
    },
    readEvent(json) {
      if (json['event'] === 'websocket:dtmf') return dtmfMessage(readFields(dtmfSchema, json).digit);
      if (json['event'] !== 'websocket:notify') return null;
      const name = readFields(notifySchema, json).payload?.mark;
      return name === undefined ? null : { kind: 'mark', name };
    },
    writeClear: () => '{"action":"clear"}',
    writeMark: (name) => JSON.stringify({ action: 'notify', payload: { mark: name } }),
  });
}

/** The stream of Vonage, for `detect-protocol.ts`. */
export const VONAGE_STREAM: CarrierStream = { recognises: isVonageConnected, create: createVonageStream };
