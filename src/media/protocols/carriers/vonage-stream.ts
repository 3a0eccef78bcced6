import { z } from 'zod';
import type { SampleRateHz } from '../../samples/audio.js';
import { ProtocolError, type StreamMessage, type StreamProtocol } from '../messages/stream-protocol.js';
import { createBinaryMedia } from '../messages/binary-media.js';
import {
  callIdField,
  digitField,
  flatParameters,
  keyPressed,
  markNameField,
  readFields,
  type Json,
} from '../messages/carrier-fields.js';
import { parseJsonMessage } from '../messages/json-message.js';

const CONNECTED = 'websocket:connected';
const L16 = /^audio\/l16\s*;\s*rate=(\d+)\s*$/i;

const connectedSchema = z.object({
  'content-type': z.string(),
  // The carrier itself does not name the call: our call control puts its id among the headers.
  call_uuid: callIdField.optional(),
});
const dtmfSchema = z.object({ digit: digitField });
const notifySchema = z.object({ payload: z.object({ mark: markNameField.optional() }).nullish() });

/** Whether a message begins a stream of this protocol. */
export function isVonageConnected(json: Json): boolean {
  return json['event'] === CONNECTED;
}

/**
 * Vonage's WebSocket endpoint: one JSON text frame with the format and our headers, then binary frames of signed 16-bit
 * little-endian sound both ways, at the rate that our call control asked for. What is sent must be cut into frames of
 * exactly 20 ms, as every frame of ours is. Marks are notifications that the carrier sends back; clearing cancels them.
 * There is no word for the end: the socket closes.
 */
export function createVonageStream(): StreamProtocol {
  return new VonageStream();
}

class VonageStream implements StreamProtocol {
  readonly name = 'vonage_stream';
  readonly audioFrames = 'binary';
  readonly playoutBuffer = null;
  readonly #sound = createBinaryMedia({ askedRateHz: 16_000, firstMessage: 'websocket:connected' });

  /** Known when the stream has begun. */
  get sampleRateHz(): SampleRateHz {
    return this.#sound.sampleRateHz;
  }

  decode(message: Buffer, isBinary: boolean): StreamMessage | null {
    return isBinary ? this.#sound.decode(message) : this.#readText(parseJsonMessage(message));
  }

  encodeAudio(samples: Int16Array): Buffer {
    return this.#sound.encode(samples);
  }

  encodeClear(): string {
    return '{"action":"clear"}';
  }

  encodeMark(name: string): string {
    return JSON.stringify({ action: 'notify', payload: { mark: name } });
  }

  encodeEvent(): null {
    return null;
  }

  #readText(json: Json): StreamMessage | null {
    switch (json['event']) {
      case CONNECTED:
        return this.#readConnected(json);
      case 'websocket:dtmf':
        return keyPressed(readFields(dtmfSchema, json).digit);
      case 'websocket:notify': {
        const name = readFields(notifySchema, json).payload?.mark;
        return name === undefined ? null : { kind: 'mark', name };
      }
      default:
        return null;
    }
  }

  #readConnected(json: Json): StreamMessage | null {
    if (this.#sound.hasBegun) return null;
    const { 'content-type': format, call_uuid: providerCallId = null } = readFields(connectedSchema, json);
    const rate = L16.exec(format)?.[1];
    if (rate === undefined) throw new ProtocolError('only audio/l16 with its rate is spoken here');
    this.#sound.begin(Number(rate));
    return { kind: 'start', providerCallId, parameters: flatParameters(json, ['event', 'content-type']) };
  }
}
