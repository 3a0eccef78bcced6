import { z } from 'zod';
import { PCM_OF_ALAW, PCM_OF_ULAW } from '../g711.js';
import { ProtocolError, type StreamMessage, type StreamProtocol } from '../stream-protocol.js';
import {
  callIdField,
  digitField,
  keyPressed,
  markNameField,
  numberField,
  parametersField,
  readFields,
  type Json,
} from './carrier-fields.js';
import { createChunkOrder } from './chunk-order.js';
import { parseJsonMessage } from './json-message.js';
import { createMediaReader } from './media-reader.js';
import { createMediaWriter } from './media-writer.js';

const RATE_HZ = 8000;
const LAWS: ReadonlyMap<string, Int16Array> = new Map([
  ['PCMU', PCM_OF_ULAW],
  ['PCMA', PCM_OF_ALAW],
]);
const CHUNK = Buffer.from('"chunk":');
const QUOTE = '"'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

const startSchema = z.object({
  start: z.object({
    call_control_id: callIdField.optional(),
    client_state: z.string().nullish(),
    custom_parameters: parametersField,
    media_format: z
      .object({ encoding: z.string().default('PCMU'), sample_rate: numberField.default(RATE_HZ) })
      .prefault({}),
  }),
});
const dtmfSchema = z.object({ dtmf: z.object({ digit: digitField }) });
const markSchema = z.object({ mark: z.object({ name: markNameField }) });

/** Whether a message begins a stream of this protocol. */
export function isTelnyxStart(json: Json): boolean {
  if (json['event'] !== 'start') return false;
  return 'stream_id' in json || 'call_control_id' in Object(json['start']);
}

/**
 * Telnyx's media streaming: JSON text frames both ways, base64 at 8 kHz. What is heard has the law of the caller's
 * network (μ or A); what is sent is always μ-law, the default of the carrier and what our call control asks for. Messages
 * that we send name no stream. Media may overtake each other, so they are put into the order of their chunks.
 * `client_state` is handed over among the parameters, as it came. Faults that the carrier reports are left unread.
 */
export function createTelnyxStream(): StreamProtocol {
  return new TelnyxStream();
}

class TelnyxStream implements StreamProtocol {
  readonly name = 'telnyx_stream';
  readonly audioFrames = 'text';
  readonly sampleRateHz = RATE_HZ;
  readonly #reader = createMediaReader();
  readonly #writer = createMediaWriter('{"event":"media","media":{"payload":"');
  readonly #order = createChunkOrder();
  #started = false;
  readonly #audio: { kind: 'audio'; samples: Int16Array } = { kind: 'audio', samples: new Int16Array(0) };

  decode(message: Buffer, isBinary: boolean): StreamMessage | null {
    if (isBinary) throw new ProtocolError(1003, 'this protocol has text frames only');
    const sound = this.#started ? this.#reader.readUsual(message) : null;
    if (sound !== null) return this.#heard(chunkIn(message), sound);
    const json = parseJsonMessage(message);
    switch (json['event']) {
      case 'media':
        return this.#readMedia(json['media']);
      case 'start':
        return this.#readStart(json);
      case 'dtmf':
        return keyPressed(readFields(dtmfSchema, json).dtmf.digit);
      case 'mark':
        return { kind: 'mark', name: readFields(markSchema, json).mark.name };
      case 'stop':
        return { kind: 'stop' };
      default:
        return null;
    }
  }

  encodeAudio(samples: Int16Array): Buffer {
    return this.#writer.write(samples);
  }

  encodeClear(): string {
    return '{"event":"clear"}';
  }

  encodeMark(name: string): string {
    return `{"event":"mark","mark":{"name":${JSON.stringify(name)}}}`;
  }

  encodeEvent(): null {
    return null;
  }

  #readStart(json: Json): StreamMessage | null {
    if (this.#started) return null;
    const { start } = readFields(startSchema, json);
    const { encoding, sample_rate: rateHz } = start.media_format;
    const law = LAWS.get(encoding);
    if (law === undefined || rateHz !== RATE_HZ) {
      throw new ProtocolError(1003, 'only PCMU and PCMA at 8000 Hz are spoken here');
    }
    this.#reader.chooseLaw(law);
    this.#started = true;
    const state: Record<string, string> = start.client_state ? { client_state: start.client_state } : {};
    return {
      kind: 'start',
      providerCallId: start.call_control_id ?? null,
      parameters: { ...state, ...start.custom_parameters },
    };
  }

  #readMedia(media: unknown): StreamMessage | null {
    if (!this.#started) throw new ProtocolError(1008, 'media came before start');
    const samples = this.#reader.read(media);
    if (samples === null) return null;
    const { chunk } = media as { chunk?: unknown };
    return this.#heard(typeof chunk === 'string' || typeof chunk === 'number' ? Number(chunk) : NaN, samples);
  }

  #heard(chunk: number, samples: Int16Array): StreamMessage | null {
    const inOrder = this.#order.take(chunk, samples);
    if (inOrder === null) return null;
    this.#audio.samples = inOrder;
    return this.#audio;
  }
}

/** The number of the chunk in a message as the carrier writes it, quoted or not; NaN when it has none. */
function chunkIn(message: Buffer): number {
  const keyAt = message.indexOf(CHUNK);
  if (keyAt < 0) return NaN;
  let at = keyAt + CHUNK.length;
  if (message[at] === QUOTE) at++;
  const from = at;
  let chunk = 0;
  for (let digit = 0; ; at++) {
    digit = message[at]! - ZERO;
    // Also at the end of the message, where the digit is no number.
    if (!(digit >= 0 && digit <= 9)) return at === from ? NaN : chunk;
    chunk = chunk * 10 + digit;
  }
}
