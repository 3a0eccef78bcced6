import { frameSamples, createSampleScratch } from '#media/samples/audio.js';
import {
  decodeBase64G711,
  samplesInBase64,
  base64Length,
  encodeBase64Ulaw,
} from '#media/samples/base64-g711.js';
import { decodeG711, PCM_OF_ULAW } from '#media/samples/g711.js';
import { ProtocolError } from './stream-protocol.js';

/*
 * Reads and writes the `media` messages of JSON protocols, for `createJsonMedia`. Both avoid JSON parsing and strings,
 * because each call has dozens of these messages a second.
 */

/** The usual beginning of a `media` message, which is checked first. */
const MEDIA_START = Buffer.from('{"event":"media"');
/** The parts of a `media` message that are searched for in its bytes. */
const MEDIA_EVENT = Buffer.from('"event":"media"');
const INBOUND = Buffer.from('"track":"inbound"');
const PAYLOAD = Buffer.from('"payload":"');
const QUOTE = '"'.charCodeAt(0);
const BRACE = '{'.charCodeAt(0);

/**
 * Reads the caller's audio (the inbound track) from `media` messages: base64 G.711 at 8 kHz in JSON. The samples are
 * valid until the next message.
 */
export interface MediaReader {
  /**
   * Reads a whole message without parsing its JSON, which would cost more than the rest of a frame. Null if that is
   * not possible: the message may be of another event, track or form, and must be parsed.
   */
  readUnparsed(message: Buffer): Int16Array | null;
  /**
   * Reads the `media` field of a parsed message; null for the other track and for empty audio.
   * @throws ProtocolError without a payload
   */
  readParsed(media: unknown): Int16Array | null;
  /** Sets the decoding table (see g711.ts); μ-law by default. */
  setDecodingTable(pcmOfCode: Int16Array): void;
}

/** Creates the reader of one stream. */
export function createMediaReader(): MediaReader {
  const frameLength = frameSamples(8000);
  const scratch = createSampleScratch(frameLength);
  /** Reused memory for the decoded payload of a parsed message. */
  let bytes = Buffer.alloc(frameLength);
  let decodingTable: Int16Array = PCM_OF_ULAW;
  return {
    setDecodingTable: (pcmOfCode) => void (decodingTable = pcmOfCode),
    readUnparsed(message) {
      const from = payloadAt(message);
      if (from < 0) return null;
      const count = samplesInBase64(message, from, message.indexOf(QUOTE, from));
      if (count <= 0) return null;
      const samples = scratch.take(count);
      return decodeBase64G711(message, from, samples, decodingTable) ? samples : null;
    },
    readParsed(media) {
      const { track = 'inbound', payload } = (media ?? {}) as { track?: unknown; payload?: unknown };
      if (typeof payload !== 'string') throw new ProtocolError('media has no payload');
      if (track !== 'inbound') return null;
      const longestBytes = Math.ceil((payload.length * 3) / 4);
      if (bytes.length < longestBytes) bytes = Buffer.alloc(longestBytes);
      const sizeBytes = bytes.write(payload, 'base64');
      if (sizeBytes === 0) return null;
      const samples = scratch.take(sizeBytes);
      decodeG711(bytes, samples, decodingTable);
      return samples;
    },
  };
}

/**
 * Position of the payload in a `media` message that names the inbound track before its payload; −1 for any other.
 * Quotes within JSON strings are escaped, so the search for a key cannot find it inside a string.
 */
function payloadAt(message: Buffer): number {
  if (!startsWithMedia(message) && !hasMediaEvent(message)) return -1;
  const trackAt = message.indexOf(INBOUND);
  const keyAt = trackAt < 0 ? -1 : message.indexOf(PAYLOAD, trackAt);
  return keyAt < 0 ? -1 : keyAt + PAYLOAD.length;
}

function startsWithMedia(message: Buffer): boolean {
  for (let i = 0; i < MEDIA_START.length; i++) if (message[i] !== MEDIA_START[i]) return false;
  return true;
}

/** True if the message names the event `media` after other fields, but before any nested object. */
function hasMediaEvent(message: Buffer): boolean {
  const nestedAt = message.indexOf(BRACE, 1);
  const eventAt = message.indexOf(MEDIA_EVENT);
  return eventAt > 0 && eventAt < nestedAt;
}

/** The end of every written message, after its payload. */
const MEDIA_TAIL = Buffer.from('"}}');

/** Writes the agent's audio as JSON text frames: a head of the carrier, base64 μ-law, and two closing braces. */
export interface MediaWriter {
  /**
   * Encodes one message, as bytes: a WebSocket takes text frames as strings at several times the cost of buffers.
   * Silent messages of one length share one buffer.
   */
  write(samples: Int16Array): Buffer;
}

/**
 * Creates the writer of one stream.
 * @param head the message up to the payload, with its opening quote
 */
export function createMediaWriter(head: string): MediaWriter {
  const headBytes = Buffer.from(head);
  /** The last silent message, for reuse; it is never changed. */
  let silence: { sampleCount: number; message: Buffer } | null = null;

  const encode = (samples: Int16Array): Buffer => {
    const tailAt = headBytes.length + base64Length(samples.length);
    const message = Buffer.allocUnsafe(tailAt + MEDIA_TAIL.length);
    message.set(headBytes);
    encodeBase64Ulaw(samples, message, headBytes.length);
    message.set(MEDIA_TAIL, tailAt);
    return message;
  };

  return {
    write(samples) {
      if (!isSilent(samples)) return encode(samples);
      if (silence?.sampleCount !== samples.length)
        silence = { sampleCount: samples.length, message: encode(samples) };
      return silence.message;
    },
  };
}

function isSilent(samples: Int16Array): boolean {
  for (let i = 0; i < samples.length; i++) if (samples[i] !== 0) return false;
  return true;
}
