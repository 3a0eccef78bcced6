import { readFile } from 'node:fs/promises';
import { decodeUlaw } from './g711.js';
import { resampleWhole, type Resampling } from './resampler.js';

/** Encodings in the `fmt ` chunk of a WAV file. */
const PCM = 1;
const ULAW = 7;
const LOWEST_RATE_HZ = 4_000;
const HIGHEST_RATE_HZ = 192_000;
/** 17 minutes of 16-bit stereo audio at 16 kHz. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * Reads the first channel of a WAV file that the operator provides (16-bit PCM or G.711 μ-law), resampled to `toHz`.
 * Used for the hold sound, for simulated callees of the sandbox, and for `callwright talk` with a file as the caller.
 * @throws Error with a predicate as its message (`is no WAV file`), which continues after the name of the file; or the
 *   file system's error
 */
export async function readSoundFile(path: string, toHz: number, resampling: Resampling): Promise<Int16Array> {
  const file = await readFile(path);
  if (file.length > LARGEST_BYTES) throw new Error('is too large: 64 MB at most');
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    throw new Error('is no WAV file');
  const format = chunkOf(file, 'fmt ');
  const data = chunkOf(file, 'data');
  if (!format || format.length < 16 || !data?.length) throw new Error('is a WAV file without sound');
  const [encoding, channels, rateHz, bits] = [
    format.readUInt16LE(0),
    format.readUInt16LE(2),
    format.readUInt32LE(4),
    format.readUInt16LE(14),
  ];
  if (channels < 1) throw new Error('is a WAV file without channels');
  if (rateHz < LOWEST_RATE_HZ || rateHz > HIGHEST_RATE_HZ)
    throw new Error(`must have a rate of ${LOWEST_RATE_HZ} to ${HIGHEST_RATE_HZ} Hz`);
  const rates = { fromHz: rateHz, toHz };
  if (encoding === PCM && bits === 16)
    return resampleWhole(resampling, firstPcmChannel(data, channels), rates);
  if (encoding === ULAW) return resampleWhole(resampling, firstUlawChannel(data, channels), rates);
  throw new Error('must hold 16-bit PCM or G.711 μ-law');
}

/**
 * The content of the first RIFF chunk of this name; null if there is none. Chunks come in any order and begin at even
 * bytes. A size beyond the end of the file means "to the end".
 */
function chunkOf(file: Buffer, name: string): Buffer | null {
  for (let at = 12; at + 8 <= file.length;) {
    const sizeBytes = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === name) return file.subarray(at + 8, at + 8 + sizeBytes);
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  return null;
}

function firstPcmChannel(data: Buffer, channels: number): Int16Array {
  const length = Math.floor(data.length / (2 * channels));
  return Int16Array.from({ length }, (_, i) => data.readInt16LE(i * 2 * channels));
}

function firstUlawChannel(data: Buffer, channels: number): Int16Array {
  const bytes = data.filter((_, i) => i % channels === 0);
  const samples = new Int16Array(bytes.length);
  decodeUlaw(bytes, samples);
  return samples;
}
