import type { StreamMessage, StreamProtocol } from '#media/protocols/stream-protocol.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * The messages of one carrier on a call's socket, in both directions, from its public documentation; ids are
 * invented.
 */
export interface StreamSample {
  carrier: string;
  create(): StreamProtocol;
  sampleRateHz: number;
  /** Its messages up to the start of the stream. */
  opening: readonly Json[];
  start: Extract<StreamMessage, { kind: 'start' }>;
  /** A message with audio, number `chunk`; the bytes are μ-law or, in binary frames, samples. */
  sound(bytes: Buffer, chunk: number): Buffer;
  /** The audio in a message of the service, as bytes. */
  soundIn(message: Buffer): Buffer;
  /** DTMF key 1. */
  dtmf: Json;
  /** The mark `utt-1` was reached. */
  mark: Json;
  /** The end of the stream; null if only the socket closes. */
  stop: Json | null;
  /** Messages that are ignored. */
  others: readonly Json[];
  /** The service's messages for the mark `utt-1` and for a clear. */
  wantsMark: Json;
  wantsClear: Json;
}

/** The token among the parameters of every stream except SignalWire's, which has none. */
export const STREAM_TOKEN = 'st_abc';

/** A text frame. */
export const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** For protocols whose messages are only audio. */
export const asIs = (bytes: Buffer): Buffer => bytes;
/** The payload of a JSON message. */
export const payloadIn = (message: Buffer): Buffer => {
  const { media } = JSON.parse(message.toString()) as { media: { payload: string } };
  return Buffer.from(media.payload, 'base64');
};

/** A protocol after the start of its stream. */
export function begun(sample: StreamSample): StreamProtocol {
  const protocol = sample.create();
  sample.opening.forEach((message) => protocol.decode(text(message), false));
  return protocol;
}
