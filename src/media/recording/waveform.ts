import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { durationMs, STEREO_FRAME_BYTES, WAV_HEADER_BYTES } from '#media/samples/wav.js';

/** The input of {@link readWaveform}, which the thread receives; a bucket is a bar of the picture. */
export interface WaveformQuestion {
  path: string;
  buckets: number;
}

/** The peaks of a recording for its picture in the console: per side and bucket of time, from 0 to 1. */
export interface Waveform {
  durationMs: number;
  person: number[];
  agent: number[];
}

/** How much of the file is read at a time. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const LOUDEST = 32_768;
/** About this many samples are inspected per bucket: more would not change the picture. */
const SAMPLES_PER_BUCKET = 2_000;
/** Peaks are rounded to three decimals, more than a screen shows. */
const PRECISION = 1_000;

/**
 * Computes the waveform of a whole recording (about a hundred megabytes an hour at 8 kHz), for the player of the
 * console. It blocks, so it runs on a thread of its own (waveform-thread.ts).
 */
export function readWaveform({ path, buckets }: WaveformQuestion): Waveform {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(WAV_HEADER_BYTES);
    readSync(file, header, 0, WAV_HEADER_BYTES, 0);
    const frames = Math.floor((fstatSync(file).size - WAV_HEADER_BYTES) / STEREO_FRAME_BYTES);
    const peakReader = new PeakReader(Math.max(0, frames), Math.max(1, Math.min(buckets, frames)));
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let at = WAV_HEADER_BYTES; ;) {
      const count = readSync(file, chunk, 0, CHUNK_BYTES, at);
      if (count < STEREO_FRAME_BYTES) break;
      peakReader.read(
        new Int16Array(chunk.buffer, chunk.byteOffset, Math.floor(count / STEREO_FRAME_BYTES) * 2),
      );
      at += count;
    }
    const rateHz = header.readUInt32LE(24) || 1;
    return {
      durationMs: durationMs(frames * STEREO_FRAME_BYTES, STEREO_FRAME_BYTES, rateHz),
      ...peakReader.sides,
    };
  } finally {
    closeSync(file);
  }
}

/** Collects the peaks of interleaved stereo samples. A frame here is one sample of both sides, as in a WAV file. */
class PeakReader {
  readonly #peaks: { person: Float64Array; agent: Float64Array };
  readonly #framesPerBucket: number;
  /** Distance between inspected samples of both sides. */
  readonly #stride: number;
  /** The index of the next frame. */
  #frame = 0;

  constructor(frames: number, buckets: number) {
    this.#framesPerBucket = Math.max(1, frames / buckets);
    this.#stride = Math.max(1, Math.floor(this.#framesPerBucket / SAMPLES_PER_BUCKET));
    this.#peaks = { person: new Float64Array(buckets), agent: new Float64Array(buckets) };
  }

  /** The peaks of both sides, from 0 to 1. */
  get sides(): { person: number[]; agent: number[] } {
    const rounded = (peaks: Float64Array) =>
      Array.from(peaks, (peak) => Math.round((peak / LOUDEST) * PRECISION) / PRECISION);
    return { person: rounded(this.#peaks.person), agent: rounded(this.#peaks.agent) };
  }

  /** Takes the next interleaved samples of both sides. */
  read(samples: Int16Array): void {
    const { person, agent } = this.#peaks;
    const last = person.length - 1;
    for (let at = 0; at < samples.length;) {
      const bucket = Math.min(last, Math.floor(this.#frame / this.#framesPerBucket));
      const bucketEnd = bucket === last ? Infinity : Math.ceil((bucket + 1) * this.#framesPerBucket);
      const end = Math.min(samples.length, at + (bucketEnd - this.#frame) * 2);
      this.#frame += (end - at) / 2;
      let loudestPerson = person[bucket]!;
      let loudestAgent = agent[bucket]!;
      for (; at < end; at += 2 * this.#stride) {
        const left = Math.abs(samples[at]!);
        const right = Math.abs(samples[at + 1]!);
        if (left > loudestPerson) loudestPerson = left;
        if (right > loudestAgent) loudestAgent = right;
      }
      at = end;
      person[bucket] = loudestPerson;
      agent[bucket] = loudestAgent;
    }
  }
}
