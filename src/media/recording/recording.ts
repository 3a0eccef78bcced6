import { open, type FileHandle } from 'node:fs/promises';
import { type SampleRateHz, fadeGain, fadeSamples } from '#media/samples/audio.js';
import type { DiskWriter, GrowingFile } from './disk-writer.js';
import {
  durationMs,
  readWavInfo,
  SIZE_UNKNOWN,
  STEREO_FRAME_BYTES,
  stereoHeader,
  WAV_HEADER_BYTES,
} from '#media/samples/wav.js';

/** Length of one write. While the disk keeps up, a crash loses at most this much and the newest 400 ms. */
const SLICE_MS = 1_000;
/** The newest audio stays in memory for at least this long, so that late audio of the caller can be inserted. */
const LATE_INSERT_MS = 400;
/** With this many slices unwritten, further audio is left out until the disk catches up, to limit memory. */
const LONGEST_BACKLOG_SLICES = 30;
/** The bits of the customer's sample in a number that holds both sides (`WavRecorder.#memory`). */
const CUSTOMER_MASK = 0xffff;
/** The customer's samples if there are none for a period. */
const NO_SAMPLES = new Int16Array(0);

/** A part of a call whose audio, of one side or both, is missing: it is silent in the file, or the file ends before. */
export interface RecordingGap {
  /** Milliseconds from the beginning of the recording. */
  startMs: number;
  endMs: number;
}

/** A finished recording on disk. */
export interface RecordedFile {
  sizeBytes: number;
  durationMs: number;
}

/**
 * Records one call: a stereo WAV file at the rate of the line, customer left, agent right. Time is the number of
 * samples written, so a position in the file is a position in the call. A conversation uses it as its
 * `TwoTrackRecorder`.
 */
export interface Recorder {
  /**
   * Appends both sides of the same period, usually one frame; the samples are copied. The shorter side is padded with
   * silence, and so is a missing customer side (null).
   */
  write(customer: Int16Array | null, agent: Int16Array): void;
  /** Inserts late customer audio at `fromSample`. Audio up to 400 ms back is always inserted, from 1.4 s back never. */
  insertLate(fromSample: number, customer: Int16Array): void;
  /**
   * Silences the last `lastMs` milliseconds of the agent, which were never played, and fades out the 5 ms before.
   * Samples that have left the memory are changed in the file when the recording is closed.
   */
  retract(lastMs: number): void;
  /**
   * Records a gap: the process stalled for `forMs` milliseconds, and the caller's audio of that time was lost. The next
   * writes hold this time, with silence of the caller.
   */
  stalled(forMs: number): void;
  /** Parts of the call missing in the file, in order of time. */
  readonly gaps: readonly RecordingGap[];
  /** Length of the recording so far. */
  readonly positionMs: number;
  /** Bytes of audio in the file so far, after the header: they can be read already. */
  readonly savedBytes: number;
  /** The reason why writing stopped early (a full disk, for instance); null without a failure. The call goes on. */
  readonly failure: Error | null;
  /**
   * Completes the header and waits until the file is safe on the disk. Audio that is written later is ignored. May be
   * called twice. After a failure the file is cut to the part that was written.
   * @throws the file system's error if even that fails
   */
  close(): Promise<RecordedFile>;
}

/** Starts a recording at once; the file is created in the background. `onFailure` is called at most once. */
export function createRecorder(
  options: { path: string; sampleRateHz: SampleRateHz; onFailure?: (error: Error) => void },
  parts: { disk: DiskWriter },
): Recorder {
  return new WavRecorder(parts.disk.create(options.path), options.sampleRateHz, options.onFailure);
}

/**
 * Repairs a recording that a crash left open: cuts a torn last sample off and writes the true length into the header.
 * A file without a whole header holds no audio and is left as it is.
 */
export async function repairRecording(path: string): Promise<RecordedFile> {
  const file = await open(path, 'r+');
  try {
    const info = await readWavInfo(file);
    if (!info) return { sizeBytes: (await file.stat()).size, durationMs: 0 };
    return await sealFile(file, info.sampleRateHz, info.sizeBytes - WAV_HEADER_BYTES);
  } finally {
    await file.close();
  }
}

class WavRecorder implements Recorder {
  readonly #file: GrowingFile;
  readonly #rateHz: SampleRateHz;
  readonly #onFailure: ((error: Error) => void) | undefined;
  /**
   * The audio that can still be changed: a slice for the next write, and the newest 400 ms behind it. One number holds
   * both sides of a sample, as in the file: the customer in the lower half, the agent in the upper half.
   */
  readonly #memory: Int32Array;
  readonly #sliceSamples: number;
  /** Samples in the memory. */
  #filledSamples = 0;
  /** Samples recorded in total. */
  #recordedSamples = 0;
  /** Samples that have left the memory: written or left out. */
  #flushedSamples = 0;
  #savedBytes = 0;
  /** Slices that the disk has not written yet. */
  #slicesBehind = 0;
  /** Bytes left out since the last write, because the disk was too far behind. */
  #skippedBytes = 0;
  #gaps: readonly RecordingGap[] = [];
  #failure: Error | null = null;
  #closed: Promise<RecordedFile> | null = null;
  /** Periods of the agent that were retracted after they had left the memory, in samples of the recording. */
  readonly #retractedSpans: { from: number; to: number }[] = [];

  constructor(file: GrowingFile, rateHz: SampleRateHz, onFailure: ((error: Error) => void) | undefined) {
    this.#file = file;
    this.#rateHz = rateHz;
    this.#onFailure = onFailure;
    this.#sliceSamples = (rateHz / 1000) * SLICE_MS;
    this.#memory = new Int32Array((rateHz / 1000) * (SLICE_MS + LATE_INSERT_MS));
    file.append(stereoHeader(rateHz, SIZE_UNKNOWN)).catch((error: Error) => this.#fail(error));
  }

  get positionMs(): number {
    return (this.#recordedSamples * 1000) / this.#rateHz;
  }

  get savedBytes(): number {
    return this.#savedBytes;
  }

  get failure(): Error | null {
    return this.#failure;
  }

  get gaps(): readonly RecordingGap[] {
    if (!this.#failure) return this.#gaps;
    const savedMs = durationMs(this.#savedBytes, STEREO_FRAME_BYTES, this.#rateHz);
    const savedGaps = this.#gaps.filter(({ startMs }) => startMs < savedMs);
    return withGap(savedGaps, { startMs: savedMs, endMs: Math.round(this.positionMs) });
  }

  stalled(forMs: number): void {
    const startMs = Math.round(this.positionMs);
    if (!this.#closed) this.#addGap({ startMs, endMs: startMs + Math.round(forMs) });
  }

  write(customer: Int16Array | null, agent: Int16Array): void {
    if (this.#closed) return;
    const count = Math.max(customer?.length ?? 0, agent.length);
    for (let from = 0; from < count;) {
      if (this.#filledSamples === this.#memory.length) this.#flushSlice();
      const at = this.#filledSamples;
      const to = Math.min(count, from + this.#memory.length - at);
      this.#storeInMemory(at, from, to, customer, agent);
      this.#filledSamples += to - from;
      from = to;
    }
    this.#recordedSamples += count;
  }

  /** Copies the samples `from` to `to` into memory at `at`: one pass, because it runs for every frame of every call. */
  #storeInMemory(at: number, from: number, to: number, customer: Int16Array | null, agent: Int16Array): void {
    const memory = this.#memory;
    const customerSamples = customer ?? NO_SAMPLES;
    for (let i = from; i < to; i++) {
      memory[at + i - from] = ((agent[i] ?? 0) << 16) | ((customerSamples[i] ?? 0) & CUSTOMER_MASK);
    }
  }

  insertLate(fromSample: number, customer: Int16Array): void {
    const memory = this.#memory;
    const from = fromSample - this.#flushedSamples;
    const to = Math.min(this.#filledSamples, from + customer.length);
    for (let at = Math.max(0, from); at < to; at++) {
      memory[at] = (memory[at]! & ~CUSTOMER_MASK) | (customer[at - from]! & CUSTOMER_MASK);
    }
  }

  retract(lastMs: number): void {
    const flushed = this.#flushedSamples;
    // An index of the memory: negative if the period begins before the memory.
    const from = this.#filledSamples - Math.round((lastMs * this.#rateHz) / 1000);
    const fade = fadeSamples(this.#rateHz);
    silenceAgent(this.#memory.subarray(0, this.#filledSamples), from, fade);
    if (from < fade && flushed > 0) this.#retractedSpans.push({ from: flushed + from, to: flushed });
  }

  close(): Promise<RecordedFile> {
    return (this.#closed ??= this.#finish());
  }

  /** Writes the rest, and completes the file. */
  #finish(): Promise<RecordedFile> {
    this.#writeToDisk(this.#filledSamples);
    return this.#file.finish(async (file) => {
      const savedSamples = Math.floor(this.#savedBytes / STEREO_FRAME_BYTES);
      const fade = fadeSamples(this.#rateHz);
      for (const { from, to } of this.#retractedSpans)
        await silenceAgentOnDisk(file, { from, to: Math.min(to, savedSamples) }, fade);
      return sealFile(file, this.#rateHz, this.#savedBytes);
    });
  }

  /** Writes the oldest slice to the disk. */
  #flushSlice(): void {
    this.#writeToDisk(this.#sliceSamples);
    this.#memory.copyWithin(0, this.#sliceSamples);
    this.#flushedSamples += this.#sliceSamples;
    this.#filledSamples -= this.#sliceSamples;
  }

  /** Writes the first samples of the memory, or leaves them out if the disk is too far behind. */
  #writeToDisk(sampleCount: number): void {
    const sizeBytes = sampleCount * STEREO_FRAME_BYTES;
    if (this.#failure || sizeBytes === 0) return;
    if (this.#slicesBehind === LONGEST_BACKLOG_SLICES) {
      const startMs = (this.#flushedSamples * 1000) / this.#rateHz;
      this.#addGap({ startMs, endMs: startMs + (sampleCount * 1000) / this.#rateHz });
      this.#skippedBytes += sizeBytes;
      return;
    }
    this.#skipMissingSlices();
    this.#slicesBehind++;
    this.#file.append(new Uint8Array(this.#memory.buffer, 0, sizeBytes)).then(
      () => {
        this.#savedBytes += sizeBytes;
        this.#slicesBehind--;
      },
      (error: Error) => this.#fail(error),
    );
  }

  /** Leaves room in the file for the slices that were left out. */
  #skipMissingSlices(): void {
    const skipped = this.#skippedBytes;
    if (skipped === 0) return;
    this.#skippedBytes = 0;
    this.#file.skip(skipped).then(
      () => void (this.#savedBytes += skipped),
      (error: Error) => this.#fail(error),
    );
  }

  #addGap(gap: RecordingGap): void {
    this.#gaps = withGap(this.#gaps, gap);
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#onFailure?.(error);
  }
}

/**
 * Adds a gap in its place in time; gaps that touch are merged. A slice is left out long after it was recorded, so its
 * gap may lie before that of a stall.
 */
function withGap(gaps: readonly RecordingGap[], added: RecordingGap): RecordingGap[] {
  const touches = (gap: RecordingGap) => gap.startMs <= added.endMs && added.startMs <= gap.endMs;
  const merged = [...gaps.filter(touches), added];
  const startMs = Math.min(...merged.map((gap) => gap.startMs));
  const endMs = Math.max(...merged.map((gap) => gap.endMs));
  return [...gaps.filter((gap) => !touches(gap)), { startMs, endMs }].sort((a, b) => a.startMs - b.startMs);
}

/**
 * Silences the agent's side from a sample on, and fades out the `fade` samples before. `samples` have both sides in one
 * number, as the memory of a recorder.
 */
function silenceAgent(samples: Int32Array, from: number, fade: number): void {
  for (let at = Math.max(0, from - fade); at < samples.length; at++) {
    const agent = Math.round((samples[at]! >> 16) * fadeGain(from - at, fade));
    samples[at] = (agent << 16) | (samples[at]! & CUSTOMER_MASK);
  }
}

/** As `silenceAgent`, for the samples `from` to `to` of the file: retracted after they had left the memory. */
async function silenceAgentOnDisk(
  file: FileHandle,
  { from, to }: { from: number; to: number },
  fade: number,
): Promise<void> {
  const start = Math.max(0, from - fade);
  if (to <= start) return;
  const position = WAV_HEADER_BYTES + start * STEREO_FRAME_BYTES;
  const samples = new Int32Array(to - start);
  const bytes = new Uint8Array(samples.buffer);
  await file.read(bytes, 0, bytes.length, position);
  silenceAgent(samples, from - start, fade);
  await file.write(bytes, 0, bytes.length, position);
}

/** Cuts the file to whole samples of `dataBytes`, writes the true header and waits for the disk. */
async function sealFile(file: FileHandle, rateHz: number, dataBytes: number): Promise<RecordedFile> {
  const wholeBytes = dataBytes - (dataBytes % STEREO_FRAME_BYTES);
  const sizeBytes = WAV_HEADER_BYTES + wholeBytes;
  await file.truncate(sizeBytes);
  await file.write(stereoHeader(rateHz, wholeBytes), 0, WAV_HEADER_BYTES, 0);
  await file.sync();
  return { sizeBytes, durationMs: durationMs(wholeBytes, STEREO_FRAME_BYTES, rateHz) };
}
