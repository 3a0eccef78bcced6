import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { SIZE_UNKNOWN, stereoHeader, STEREO_FRAME_BYTES, WAV_HEADER_BYTES } from '#media/samples/wav.js';

/*
 * Reads a stereo recording as if it were a mono file, for the player of the console and the API. A frame here is one
 * sample of all channels, as in a WAV file.
 */

/** Mono forms of a recording: one side, or both sides mixed (`mono`). */
export const CHANNELS = ['person', 'agent', 'mono'] as const;
export type Channel = (typeof CHANNELS)[number];

const MONO_FRAME_BYTES = 2;
/** Stereo samples that are read and converted at a time. A kilobyte takes about a hundredth of a millisecond. */
const CHUNK_FRAMES = 8_192;
const LOUDEST = 32_767;

/** The size of the mono WAV file that belongs to a stereo recording of this size, in bytes. */
export function channelBytes(stereoBytes: number): number {
  return (
    WAV_HEADER_BYTES + Math.max(0, Math.floor((stereoBytes - WAV_HEADER_BYTES) / STEREO_FRAME_BYTES)) * 2
  );
}

/**
 * Streams one channel of our stereo recording as if it were a WAV file of its own.
 * @param range the first and the last byte of the mono file to send; its sample rate and its whole size
 */
export function readChannel(
  path: string,
  channel: Channel,
  range: { first: number; last: number; sampleRateHz: number; sizeBytes: number },
): Readable {
  return Readable.from(channelPieces(path, channel, range), { objectMode: false });
}

/** The bytes of the range: a part of the header, if the range begins in it, and the samples. */
async function* channelPieces(
  path: string,
  channel: Channel,
  {
    first,
    last,
    sampleRateHz,
    sizeBytes,
  }: { first: number; last: number; sampleRateHz: number; sizeBytes: number },
): AsyncGenerator<Buffer> {
  const header = monoHeader(sampleRateHz, sizeBytes - WAV_HEADER_BYTES);
  if (first < WAV_HEADER_BYTES) yield header.subarray(first, Math.min(last + 1, WAV_HEADER_BYTES));
  const from = Math.max(0, first - WAV_HEADER_BYTES);
  const until = last + 1 - WAV_HEADER_BYTES;
  const file = await open(path, 'r');
  try {
    const stereo = Buffer.alloc(CHUNK_FRAMES * STEREO_FRAME_BYTES);
    let frame = Math.floor(from / MONO_FRAME_BYTES);
    let skipBytes = from % MONO_FRAME_BYTES;
    for (let sent = from; sent < until;) {
      const { bytesRead } = await file.read(
        stereo,
        0,
        stereo.length,
        WAV_HEADER_BYTES + frame * STEREO_FRAME_BYTES,
      );
      const frames = Math.floor(bytesRead / STEREO_FRAME_BYTES);
      if (frames === 0) return;
      const piece = extractChannel(stereo, frames, channel)
        .subarray(skipBytes)
        .subarray(0, until - sent);
      yield piece;
      sent += piece.length;
      frame += frames;
      skipBytes = 0;
    }
  } finally {
    await file.close();
  }
}

/** The samples of one channel, or of both sides added. */
function extractChannel(stereo: Buffer, frames: number, channel: Channel): Buffer {
  const mono = Buffer.allocUnsafe(frames * MONO_FRAME_BYTES);
  for (let frame = 0; frame < frames; frame += 1) {
    const at = frame * STEREO_FRAME_BYTES;
    const left = channel === 'agent' ? 0 : stereo.readInt16LE(at);
    const right = channel === 'person' ? 0 : stereo.readInt16LE(at + 2);
    mono.writeInt16LE(Math.max(-LOUDEST - 1, Math.min(LOUDEST, left + right)), frame * MONO_FRAME_BYTES);
  }
  return mono;
}

/** The header of a mono WAV file: the stereo header with another channel count, byte rate and frame size. */
function monoHeader(sampleRateHz: number, dataBytes: number): Buffer {
  const header = stereoHeader(sampleRateHz, Math.min(dataBytes, SIZE_UNKNOWN - WAV_HEADER_BYTES));
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRateHz * MONO_FRAME_BYTES, 28);
  header.writeUInt16LE(MONO_FRAME_BYTES, 32);
  return header;
}
