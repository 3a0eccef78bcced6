import type { StreamMessage, StreamProtocol } from '#media/protocols/stream-protocol.js';

type Json = Readonly<Record<string, unknown>>;

/** What one carrier says and wants to be told on the socket of a call, by its published documents; ids are invented. */
export interface StreamSample {
  carrier: string;
  create(): StreamProtocol;
  sampleRateHz: number;
  /** Its messages up to the start of the stream. */
  opening: readonly Json[];
  start: Extract<StreamMessage, { kind: 'start' }>;
  /** A message with sound, the `chunk`-th; the bytes are μ-law or, in binary frames, samples. */
  sound(bytes: Buffer, chunk: number): Buffer;
  /** The sound in a message of ours, as bytes. */
  soundIn(message: Buffer): Buffer;
  /** The key 1 was pressed. */
  dtmf: Json;
  /** The mark `utt-1` was reached. */
  mark: Json;
  /** The stream is over; null where only the socket closes. */
  stop: Json | null;
  /** Messages that need no answer. */
  others: readonly Json[];
  /** What it wants to be told: to send the mark `utt-1` back, and to throw away what it has not played. */
  wantsMark: Json;
  wantsClear: Json;
}

/** What the parameters of every stream carry, but for SignalWire's, which has none. */
export const STREAM_TOKEN = 'st_abc';

/** A text frame. */
export const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Where messages are sound and nothing else. */
export const asIs = (bytes: Buffer): Buffer => bytes;
/** The payload of a message in JSON. */
export const payloadIn = (message: Buffer): Buffer => {
  const { media } = JSON.parse(message.toString()) as { media: { payload: string } };
  return Buffer.from(media.payload, 'base64');
};

/** A protocol whose stream has begun. */
export function begun(sample: StreamSample): StreamProtocol {
  const protocol = sample.create();
  sample.opening.forEach((message) => protocol.decode(text(message), false));
  return protocol;
}
