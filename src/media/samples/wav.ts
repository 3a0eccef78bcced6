import type { FileHandle } from 'node:fs/promises';

/*
 * The WAV files that the service writes: headers of recordings, which are written and read, and whole mono files. Files
 * of the operator are read by sound-file.ts.
 */

/** Length of the header: RIFF, one `fmt ` chunk of 16 bytes, the head of one `data` chunk. No other form is written. */
export const WAV_HEADER_BYTES = 44;
/** Bytes of one stereo sample of 16 bits. */
export const STEREO_FRAME_BYTES = 4;
/** The size in the header of a file that still grows: players take it as "to the end". */
export const SIZE_UNKNOWN = 0xffff_ffff;
/** The part of the header that the size in it counts: all but `RIFF` and the size itself. */
const RIFF_OVERHEAD_BYTES = WAV_HEADER_BYTES - 8;
/** The format code of uncompressed samples. */
const PCM = 1;

/** What a WAV file of this layout holds, by its header and its real length. */
export interface WavInfo {
  sampleRateHz: number;
  channels: number;
  /** Bytes of audio in the file, without an incomplete sample at its end. */
  dataBytes: number;
  sizeBytes: number;
  durationMs: number;
}

/** The header of a stereo PCM16 file. @param dataBytes {@link SIZE_UNKNOWN} while the file grows */
export function stereoHeader(sampleRateHz: number, dataBytes: number): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  const isSizeUnknown = dataBytes === SIZE_UNKNOWN;
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(isSizeUnknown ? SIZE_UNKNOWN : dataBytes + RIFF_OVERHEAD_BYTES, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * STEREO_FRAME_BYTES, 28);
  header.writeUInt16LE(STEREO_FRAME_BYTES, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

/**
 * Reads the header of a WAV file that the service wrote; null for a file of another layout. A length in the header
 * beyond the end of the file is ignored.
 */
export async function readWavInfo(file: FileHandle): Promise<WavInfo | null> {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  const { bytesRead } = await file.read(header, 0, WAV_HEADER_BYTES, 0);
  if (bytesRead < WAV_HEADER_BYTES || !hasOurLayout(header)) return null;
  const { size: sizeBytes } = await file.stat();
  const channels = header.readUInt16LE(22);
  const frameBytes = header.readUInt16LE(32);
  const sampleRateHz = header.readUInt32LE(24);
  const presentBytes = Math.min(header.readUInt32LE(40), sizeBytes - WAV_HEADER_BYTES);
  const dataBytes = presentBytes - (presentBytes % frameBytes);
  return {
    sampleRateHz,
    channels,
    dataBytes,
    sizeBytes,
    durationMs: durationMs(dataBytes, frameBytes, sampleRateHz),
  };
}

/** Duration in whole milliseconds. @param sampleFrameBytes bytes of one sample of all channels */
export function durationMs(dataBytes: number, sampleFrameBytes: number, sampleRateHz: number): number {
  return Math.round((dataBytes / sampleFrameBytes / sampleRateHz) * 1000);
}

/** True for a header as {@link stereoHeader} and {@link wavOf} write it. */
function hasOurLayout(header: Buffer): boolean {
  return (
    header.toString('latin1', 0, 4) === 'RIFF' &&
    header.toString('latin1', 8, 16) === 'WAVEfmt ' &&
    header.toString('latin1', 36, 40) === 'data' &&
    header.readUInt16LE(20) === PCM &&
    header.readUInt16LE(32) > 0 &&
    header.readUInt32LE(24) > 0
  );
}

const SAMPLE_BYTES = 2;

/**
 * A whole mono WAV file of 16 bits: the preview of a voice, a talk on the command line, and an utterance for a
 * recogniser that takes files.
 */
export function wavOf(pieces: readonly Int16Array[], sampleRateHz: number): Buffer {
  const dataBytes = pieces.reduce((sum, piece) => sum + piece.length, 0) * SAMPLE_BYTES;
  const file = Buffer.alloc(WAV_HEADER_BYTES + dataBytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(PCM, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRateHz, 24);
  file.writeUInt32LE(sampleRateHz * SAMPLE_BYTES, 28);
  file.writeUInt16LE(SAMPLE_BYTES, 32);
  file.writeUInt16LE(SAMPLE_BYTES * 8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
  let at = WAV_HEADER_BYTES;
  for (const piece of pieces) for (const sample of piece) at = file.writeInt16LE(sample, at);
  return file;
}
