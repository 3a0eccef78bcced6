import { frameSamples } from '#media/samples/audio.js';
import { decodeBase64G711, samplesInBase64 } from '#media/samples/base64-g711.js';
import { decodeG711, PCM_OF_ULAW } from '#media/samples/g711.js';
import { createSampleScratch } from '#media/samples/sample-scratch.js';
import { ProtocolError } from './stream-protocol.js';

/** How most carriers begin the one message that counts: fifty a second for every call. */
const MEDIA_START = Buffer.from('{"event":"media"');
const MEDIA_EVENT = Buffer.from('"event":"media"');
const INBOUND = Buffer.from('"track":"inbound"');
const PAYLOAD = Buffer.from('"payload":"');
const QUOTE = '"'.charCodeAt(0);
const BRACE = '{'.charCodeAt(0);

/**
 * Takes the caller's sound out of `media` messages: base64 G.711 at 8 kHz in JSON, of the inbound track. The samples
 * are only valid until the next message.
 */
export interface MediaReader {
  /**
   * From a message as carriers write it, without parsing the message (which costs more than all the rest of a frame);
   * null for anything unusual, which must then be parsed.
   */
  readUsual(message: Buffer): Int16Array | null;
  /** From the `media` of a parsed message; null for the other track and for no sound. @throws ProtocolError */
  read(media: unknown): Int16Array | null;
  /** The law of the codes; μ-law until another is chosen. */
  chooseLaw(pcmOfCode: Int16Array): void;
}

export function createMediaReader(): MediaReader {
  const usualSamples = frameSamples(8000);
  const heard = createSampleScratch(usualSamples);
  let bytes = Buffer.alloc(usualSamples);
  let law: Int16Array = PCM_OF_ULAW;
  return {
    chooseLaw: (pcmOfCode) => void (law = pcmOfCode),
    readUsual(message) {
      const from = usualPayloadAt(message);
      if (from < 0) return null;
      const count = samplesInBase64(message, from, message.indexOf(QUOTE, from));
      if (count <= 0) return null;
      const samples = heard.take(count);
      return decodeBase64G711(message, from, samples, law) ? samples : null;
    },
    read(media) {
      const { track = 'inbound', payload } = (media ?? {}) as { track?: unknown; payload?: unknown };
      if (typeof payload !== 'string') throw new ProtocolError('media has no payload');
      if (track !== 'inbound') return null;
      const longestBytes = Math.ceil((payload.length * 3) / 4);
      if (bytes.length < longestBytes) bytes = Buffer.alloc(longestBytes);
      const sizeBytes = bytes.write(payload, 'base64');
      if (sizeBytes === 0) return null;
      const samples = heard.take(sizeBytes);
      decodeG711(bytes, samples, law);
      return samples;
    },
  };
}

/** In JSON, quotes within texts are escaped, so the keys cannot be found where they are none. */
function usualPayloadAt(message: Buffer): number {
  if (!startsWithMedia(message) && !hasMediaEvent(message)) return -1;
  const trackAt = message.indexOf(INBOUND);
  const keyAt = trackAt < 0 ? -1 : message.indexOf(PAYLOAD, trackAt);
  return keyAt < 0 ? -1 : keyAt + PAYLOAD.length;
}

function startsWithMedia(message: Buffer): boolean {
  for (let i = 0; i < MEDIA_START.length; i++) if (message[i] !== MEDIA_START[i]) return false;
  return true;
}

/** Whether the event is named after other fields, but before anything nested: it is the message's own then. */
function hasMediaEvent(message: Buffer): boolean {
  const nestedAt = message.indexOf(BRACE, 1);
  const eventAt = message.indexOf(MEDIA_EVENT);
  return eventAt > 0 && eventAt < nestedAt;
}
