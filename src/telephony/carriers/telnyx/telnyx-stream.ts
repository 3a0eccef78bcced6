import type { CarrierStream } from '#telephony/wire/carrier-definition.js';
import { z } from 'zod';
import { PCM_OF_ALAW, PCM_OF_ULAW } from '#media/samples/g711.js';
import { ProtocolError, type StreamProtocol } from '#media/protocols/stream-protocol.js';
import {
  callIdField,
  markNameField,
  numberField,
  parametersField,
  readFields,
  type Json,
} from '#media/protocols/carrier-fields.js';
import { createChunkOrder } from '#media/protocols/chunk-order.js';
import { createJsonMedia, JSON_MEDIA_RATE_HZ, type MediaStart } from '#media/protocols/json-media.js';

/** The decoding tables of the codecs that a stream may have. */
const DECODING_TABLES: ReadonlyMap<string, Int16Array> = new Map([
  ['PCMU', PCM_OF_ULAW],
  ['PCMA', PCM_OF_ALAW],
]);
/** The key of the chunk number in a message. */
const CHUNK = Buffer.from('"chunk":');
const QUOTE = '"'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

const startSchema = z.object({
  start: z.object({
    call_control_id: callIdField.nullish(),
    client_state: z.string().nullish(),
    custom_parameters: parametersField,
    media_format: z
      .object({ encoding: z.string().nullish(), sample_rate: numberField.nullish() })
      .nullish()
      .transform((format) => ({
        encoding: format?.encoding ?? 'PCMU',
        sample_rate: format?.sample_rate ?? JSON_MEDIA_RATE_HZ,
      })),
  }),
});
const markSchema = z.object({ mark: z.object({ name: markNameField }) });

/** True if a message begins a stream of this protocol. */
function isTelnyxStart(json: Json): boolean {
  if (json['event'] !== 'start') return false;
  return 'stream_id' in json || 'call_control_id' in Object(json['start']);
}

/**
 * Decodes and encodes Telnyx's media streaming, for the audio socket: JSON text frames in both directions, base64 at 8
 * kHz. The service requests μ-law in both directions; if Telnyx cannot transcode, the caller's audio has the codec of
 * the caller's network, so A-law is decoded, too. Messages to Telnyx have no stream id. Media messages may arrive out
 * of order and are sorted by their chunk number. `client_state` is passed on unchanged among the parameters. Error
 * messages of Telnyx are ignored.
 */
export function createTelnyxStream(): StreamProtocol {
  const order = createChunkOrder();
  return createJsonMedia({
    name: 'telnyx_stream',
    readStart,
    markEvent: 'mark',
    readMark: (json) => readFields(markSchema, json).mark.name,
    inOrder: (samples, message, json) =>
      order.take(json === null ? writtenChunk(message) : chunkOf(json), samples),
    writeClear: () => '{"event":"clear"}',
    writeMark: (name) => `{"event":"mark","mark":{"name":${JSON.stringify(name)}}}`,
  });
}

/** Reads the first message. @throws ProtocolError for a codec that the service does not decode */
function readStart(json: Json): MediaStart {
  const { start } = readFields(startSchema, json);
  const { encoding, sample_rate: rateHz } = start.media_format;
  const decodingTable = DECODING_TABLES.get(encoding);
  if (decodingTable === undefined || rateHz !== JSON_MEDIA_RATE_HZ) {
    throw new ProtocolError('only PCMU and PCMA at 8000 Hz are spoken here');
  }
  const clientState: Record<string, string> = start.client_state ? { client_state: start.client_state } : {};
  const parameters = { ...clientState, ...start.custom_parameters };
  return {
    message: { kind: 'start', providerCallId: start.call_control_id ?? null, parameters },
    mediaHead: '{"event":"media","media":{"payload":"',
    decodingTable,
  };
}

/** The chunk number of a parsed message; NaN without one. */
function chunkOf(json: Json): number {
  const chunk: unknown = Object(json['media'])['chunk'];
  return typeof chunk === 'string' || typeof chunk === 'number' ? Number(chunk) : NaN;
}

/**
 * The chunk number in an unparsed message, quoted or not; NaN without one. Each call has fifty messages a second, so
 * parsing them as JSON would be expensive.
 */
function writtenChunk(message: Buffer): number {
  const keyAt = message.indexOf(CHUNK);
  if (keyAt < 0) return NaN;
  let at = keyAt + CHUNK.length;
  if (message[at] === QUOTE) at++;
  const from = at;
  let chunk = 0;
  for (let digit = 0; ; at++) {
    digit = message[at]! - ZERO;
    // Also true at the end of the message, where `digit` is NaN.
    if (!(digit >= 0 && digit <= 9)) return at === from ? NaN : chunk;
    chunk = chunk * 10 + digit;
  }
}

/** The stream of Telnyx, for `detect-protocol.ts`. */
export const TELNYX_STREAM: CarrierStream = { recognises: isTelnyxStart, create: createTelnyxStream };
