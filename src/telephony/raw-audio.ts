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
import { ProtocolError, type StreamMessage, type StreamProtocol } from '#media/protocols/stream-protocol.js';
import { isCarrierStream } from './detect-protocol.js';
import { parseJsonMessage } from '#media/protocols/carrier-fields.js';

const LONGEST_TEXT = 4_000;
const typedText = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_TEXT)
  .refine((text) => badCharacterOf(text) === null);

/** Text messages of clients; other types are ignored, for newer clients. */
const textMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), token: z.string().max(LONGEST_TEXT).optional() }),
  z.object({ type: z.literal('text'), text: typedText }),
  z.object({ type: z.literal('hangup') }),
  z.object({ type: z.literal('interrupt') }),
  z.object({ type: z.literal('ping') }),
]);
const KNOWN_TYPES: ReadonlySet<unknown> = new Set(['start', 'text', 'hangup', 'interrupt', 'ping']);

/** Audio format of the plain protocol, from the query of the request. */
export interface RawAudioFormat {
  encoding: AudioEncoding;
  sampleRateHz: SampleRateHz;
  /** True if JSON events are sent beside the audio. */
  events: boolean;
}

/**
 * The plain protocol (docs/audio-socket.md): binary frames are audio, signed 16-bit little-endian or μ-law, cut
 * anywhere, even within a sample. Text frames are JSON: `start` (carries a token), `text`, `hangup`, `interrupt`,
 * `ping`. Only audio is sent unless events were requested.
 */
export function createRawAudio(format: RawAudioFormat): StreamProtocol {
  const codec =
    format.encoding === 'mulaw'
      ? createUlawCodec(format.sampleRateHz)
      : createPcm16Codec(frameSamples(format.sampleRateHz));
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
    encodeEvent: (event) => (format.events ? JSON.stringify(event) : null),
  };
}

function readText(message: Buffer): StreamMessage | null {
  const json = parseJsonMessage(message);
  if (isCarrierStream(json)) {
    throw new ProtocolError("a carrier's stream begins with its first message");
  }
  if (!KNOWN_TYPES.has(json['type'])) return null;
  const parsed = textMessageSchema.safeParse(json);
  if (!parsed.success) throw new ProtocolError(`a "${String(json['type'])}" message is malformed`);
  const said = parsed.data;
  if (said.type === 'text') return { kind: 'text', text: said.text };
  if (said.type !== 'start') return { kind: said.type };
  const parameters: Record<string, string> = said.token === undefined ? {} : { token: said.token };
  return { kind: 'start', providerCallId: null, parameters };
}

/** One-byte samples cannot be cut in half. */
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
