import { z } from 'zod';
import { badCharacterOf } from '#kernel/input/json-scan.js';
import {
  frameSamples,
  type AudioEncoding,
  type SampleRateHz,
  createSampleScratch,
} from '#media/samples/audio.js';
import { decodeUlaw, encodeUlaw } from '#media/samples/g711.js';
import { createPcm16Codec, type SoundCodec } from '#media/samples/pcm16.js';
import type { Resampler, Resampling } from '#media/samples/resampler.js';
import { ProtocolError, type StreamMessage, type StreamProtocol } from '#media/protocols/stream-protocol.js';
import { isCarrierStream } from './detect-protocol.js';
import { parseJsonMessage } from '#media/protocols/carrier-fields.js';

/** The longest typed text and the longest token, in characters. */
const LONGEST_TEXT = 4_000;
const typedText = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_TEXT)
  .refine((text) => badCharacterOf(text) === null);

/** The JSON messages of clients. Other types are ignored, so that newer clients can send them. */
const textMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    token: z.string().max(LONGEST_TEXT).optional(),
    variables: z.record(z.string(), z.unknown()).optional(),
    customer_data: z.record(z.string(), z.unknown()).optional(),
    caller_number: z.string().max(64).optional(),
  }),
  z.object({ type: z.literal('text'), text: typedText }),
  z.object({ type: z.literal('hangup') }),
  z.object({ type: z.literal('interrupt') }),
  z.object({ type: z.literal('ping') }),
]);
/** The `type` of each message in the schema. */
const KNOWN_TYPES: ReadonlySet<unknown> = new Set(['start', 'text', 'hangup', 'interrupt', 'ping']);

/** The audio format of a plain client, from the query of its request. */
export interface RawAudioFormat {
  encoding: AudioEncoding;
  sampleRateHz: SampleRateHz;
  /** The sample rate in the query, if any: the client's own, which may be one that the service does not support. */
  peerRateHz?: number;
  /** True if the client wants events as JSON text frames in addition to audio. */
  events: boolean;
}

/**
 * Creates the decoder and encoder of the plain protocol (docs/audio-socket.md), for the handshake of the audio socket.
 * Binary frames are audio, signed 16-bit little-endian or μ-law, cut anywhere, even within a sample. Text frames are
 * JSON: `start` (with a token), `text`, `hangup`, `interrupt`, `ping`. Only audio is sent unless events were requested.
 * A client with PCM may have any sample rate from 8 to 48 kHz; the service reports that rate to it.
 * @param resampling needed for a client with a rate that the service does not support
 */
export function createRawAudio(format: RawAudioFormat, resampling?: Resampling): StreamProtocol {
  const codec = codecOf(format, resampling);
  const { peerRateHz = format.sampleRateHz } = format;
  // Reused for every frame; the caller takes the samples before the next frame.
  const audio: { kind: 'audio'; samples: Int16Array } = { kind: 'audio', samples: new Int16Array(0) };
  return {
    name: 'raw_audio',
    audioFrames: 'binary',
    playoutBuffer: null,
    sampleRateHz: format.sampleRateHz,
    decode(message, isBinary) {
      if (!isBinary) return readText(message);
      audio.samples = codec.decode(message);
      return audio.samples.length === 0 ? null : audio;
    },
    encodeAudio: (samples) => codec.encode(samples),
    encodeClear: () => null,
    encodeMark: () => null,
    encodeEvent: (event) => {
      if (!format.events) return null;
      return JSON.stringify('sample_rate' in event ? { ...event, sample_rate: peerRateHz } : event);
    },
    close: () => codec.close?.(),
  };
}

/** The codec of a client's audio. It resamples PCM of a rate that the service does not support. */
function codecOf(
  { encoding, sampleRateHz, peerRateHz }: RawAudioFormat,
  resampling?: Resampling,
): ClosableCodec {
  if (encoding === 'mulaw') return createUlawCodec(sampleRateHz);
  const pcm16 = createPcm16Codec(frameSamples(sampleRateHz));
  if (peerRateHz === undefined || peerRateHz === sampleRateHz) return pcm16;
  if (!resampling) throw new Error('a client has a rate that needs resampling');
  // Created with the first audio, so that an unauthenticated client holds no memory of the WebAssembly module.
  let incoming: Resampler | null = null;
  let outgoing: Resampler | null = null;
  return {
    decode(message) {
      incoming ??= resampling.open({ fromHz: peerRateHz, toHz: sampleRateHz });
      return incoming.process(pcm16.decode(message));
    },
    encode(samples) {
      outgoing ??= resampling.open({ fromHz: sampleRateHz, toHz: peerRateHz });
      return pcm16.encode(outgoing.process(samples));
    },
    close() {
      incoming?.free();
      outgoing?.free();
    },
  };
}

/** A codec that may hold memory of the WebAssembly module until it is closed. */
interface ClosableCodec extends SoundCodec {
  close?(): void;
}

/** Reads a JSON message; null for an unknown type. @throws ProtocolError if it is invalid */
function readText(message: Buffer): StreamMessage | null {
  const json = parseJsonMessage(message);
  // A carrier's first message must reach protocol detection, which is over by now.
  if (isCarrierStream(json)) {
    throw new ProtocolError("a carrier's stream begins with its first message");
  }
  if (!KNOWN_TYPES.has(json['type'])) return null;
  const parsed = textMessageSchema.safeParse(json);
  if (!parsed.success) throw new ProtocolError(`a "${String(json['type'])}" message is malformed`);
  const content = parsed.data;
  if (content.type === 'text') return { kind: 'text', text: content.text };
  if (content.type !== 'start') return { kind: content.type };
  const { type: _type, ...fields } = content;
  // The parameters of a stream are texts, so objects are passed on as JSON.
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) parameters[name] = typeof value === 'string' ? value : JSON.stringify(value);
  return { kind: 'start', providerCallId: null, parameters };
}

/** A codec for μ-law, whose one-byte samples cannot be cut. */
function createUlawCodec(sampleRateHz: SampleRateHz): SoundCodec {
  const scratch = createSampleScratch(frameSamples(sampleRateHz));
  return {
    decode(message) {
      const samples = scratch.take(message.length);
      decodeUlaw(message, samples);
      return samples;
    },
    encode(samples) {
      const frame = Buffer.allocUnsafe(samples.length);
      encodeUlaw(samples, frame);
      return frame;
    },
  };
}
