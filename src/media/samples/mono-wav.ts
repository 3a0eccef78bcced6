import { WAV_HEADER_BYTES } from './wav.js';

const PCM = 1;
const SAMPLE_BYTES = 2;

/** A whole sound as a WAV file: 16 bits, one channel. */
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
