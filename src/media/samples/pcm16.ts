import { createSampleScratch } from './audio.js';

/** Encodes and decodes the audio of one WebSocket connection. A message may be of any length. */
export interface SoundCodec {
  /** The samples of one message; valid until the next message is decoded. */
  decode(message: Buffer): Int16Array;
  /** The bytes of one message of whole frames, in a new buffer: the socket may still hold the previous buffer. */
  encode(samples: Int16Array): Buffer;
}

/**
 * A codec for signed 16-bit little-endian samples, the audio of plain clients and of some carriers. The end of a
 * message may cut a sample in half.
 * @param initialSamples samples in most messages: the initial size of the memory, which grows
 */
export function createPcm16Codec(initialSamples: number): SoundCodec {
  const scratch = createSampleScratch(initialSamples);
  /** The first half of a sample whose second half comes with the next message; −1 for none. */
  let carriedByte = -1;
  return {
    decode(message) {
      const carried = carriedByte < 0 ? 0 : 1;
      const wholeSamples = (message.length + carried) >> 1;
      const samples = scratch.take(wholeSamples);
      let at = 0;
      let i = 0;
      if (carried === 1 && wholeSamples > 0) {
        samples[i++] = carriedByte | (message[at++]! << 8);
        carriedByte = -1;
      }
      // The array stores the two bytes as a signed number.
      for (; i < wholeSamples; i++, at += 2) samples[i] = message[at]! | (message[at + 1]! << 8);
      if (at < message.length) carriedByte = message[at]!;
      return samples;
    },
    encode(samples) {
      const frame = Buffer.allocUnsafe(samples.length * 2);
      for (let i = 0, at = 0; i < samples.length; i++) {
        const sample = samples[i]!;
        frame[at++] = sample & 0xff;
        frame[at++] = (sample >> 8) & 0xff;
      }
      return frame;
    },
  };
}
