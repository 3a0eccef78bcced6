import { open, type FileHandle } from 'node:fs/promises';
import type { SampleRateHz } from '#media/samples/audio.js';
import { fadeGain, fadeSamples } from '#media/samples/fade.js';
import type { DiskWriter, GrowingFile } from './disk-writer.js';
import {
  durationMs,
  readWavInfo,
  SIZE_UNKNOWN,
  STEREO_FRAME_BYTES,
  stereoHeader,
  WAV_HEADER_BYTES,
} from '#media/samples/wav.js';

/** How much sound goes to the disk at a time. What a crash loses is at most this, and what can still be mended. */
const SLICE_MS = 1_000;
/** How long sound may come after its time and still be put where it belongs. */
const MENDABLE_MS = 400;
/** A disk that is this far behind gets no more until it has caught up: sound would pile up in memory. */
const LONGEST_BACKLOG_SLICES = 30;
const LOWER_HALF = 0xffff;
const NOTHING = new Int16Array(0);

/** A part of a call that its recording lacks: there is silence instead, or the file ends. */
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
 * samples written, so a position in the file is a position in the call.
 */
export interface Recorder {
  /**
   * Both sides of the same stretch of time, usually one frame. Copied; the shorter side is filled up with silence, and
   * so is a customer's side that has not come (null).
   */
  write(customer: Int16Array | null, agent: Int16Array): void;
  /** The customer's sound from this sample on came after all. What is more than 400 ms back stays as it is. */
  mend(fromSample: number, customer: Int16Array): void;
  /**
   * The agent's last sound, so many milliseconds of it, was never played to anybody: it falls silent, and fades in the
   * 5 ms before that. What is on its way to the disk already does so when the recording is closed.
   */
  unsay(lastMs: number): void;
  /**
   * This process stood still for so many milliseconds, which come next: what was said meanwhile was not heard, and is
   * silence.
   */
  stoodStill(forMs: number): void;
  /** What is not in the file though it was said, in order of time. */
  readonly gaps: readonly RecordingGap[];
  /** How much has been recorded. */
  readonly positionMs: number;
  /** Why writing stopped before the end (a full disk, for instance); null while all is well. The call goes on. */
  readonly failure: Error | null;
  /**
   * Completes the header and waits until everything is safe on the disk. Harmless twice. After a failure the file is
   * cut to what was written well.
   * @throws the file system's error when not even that is possible
   */
  close(): Promise<RecordedFile>;
}

/** Starts a recording at once; the file appears in the background. `onFailure` is called at most once. */
export function createRecorder(
  options: { path: string; sampleRateHz: SampleRateHz; onFailure?: (error: Error) => void },
  parts: { disk: DiskWriter },
): Recorder {
  return new WavRecorder(parts.disk.create(options.path), options.sampleRateHz, options.onFailure);
}

/**
 * Mends a recording that a crash left open: cuts a torn last sample off and writes the true length into the header.
 * A file without a whole header holds no sound: it is left as it is.
 */
export async function repairRecording(path: string): Promise<RecordedFile> {
  const file = await open(path, 'r+');
  try {
    const info = await readWavInfo(file);
    if (!info) return { sizeBytes: (await file.stat()).size, durationMs: 0 };
    return await seal(file, info.sampleRateHz, info.sizeBytes - WAV_HEADER_BYTES);
  } finally {
    await file.close();
  }
}

class WavRecorder implements Recorder {
  readonly #file: GrowingFile;
  readonly #rateHz: SampleRateHz;
  readonly #onFailure: ((error: Error) => void) | undefined;
  /**
   * A slice for the disk, and behind it the newest sound, which can still be mended. A sample of both sides is one
   * number, as it lies in the file: the customer's in the lower half, the agent's in the upper one.
   */
  readonly #memory: Int32Array;
  readonly #sliceSamples: number;
  #filled = 0;
  /** In all, and those that are on their way to the disk or there. */
  #samples = 0;
  #flushedSamples = 0;
  #savedBytes = 0;
  #slicesBehind = 0;
  /** What the disk was too far behind for, and is to be left empty. */
  #skippedBytes = 0;
  readonly #gaps: RecordingGap[] = [];
  #failure: Error | null = null;
  #closed: Promise<RecordedFile> | null = null;
  /** Where the agent was not heard, of what can no longer be changed in memory; in samples of the recording. */
  readonly #unsaid: { from: number; to: number }[] = [];

  constructor(file: GrowingFile, rateHz: SampleRateHz, onFailure: ((error: Error) => void) | undefined) {
    this.#file = file;
    this.#rateHz = rateHz;
    this.#onFailure = onFailure;
    this.#sliceSamples = (rateHz / 1000) * SLICE_MS;
    this.#memory = new Int32Array((rateHz / 1000) * (SLICE_MS + MENDABLE_MS));
    file.append(stereoHeader(rateHz, SIZE_UNKNOWN)).catch((error: Error) => this.#fail(error));
  }

  get positionMs(): number {
    return (this.#samples * 1000) / this.#rateHz;
  }

  get failure(): Error | null {
    return this.#failure;
  }

  get gaps(): readonly RecordingGap[] {
    if (!this.#failure) return this.#gaps;
    const savedMs = durationMs(this.#savedBytes, STEREO_FRAME_BYTES, this.#rateHz);
    const saved = this.#gaps.filter(({ startMs }) => startMs < savedMs);
    return [...saved, { startMs: savedMs, endMs: Math.round(this.positionMs) }];
  }

  stoodStill(forMs: number): void {
    const startMs = Math.round(this.positionMs);
    if (!this.#closed) this.#lack(startMs, startMs + Math.round(forMs));
  }

  write(customer: Int16Array | null, agent: Int16Array): void {
    if (this.#closed) return;
    const count = Math.max(customer?.length ?? 0, agent.length);
    for (let from = 0; from < count;) {
      if (this.#filled === this.#memory.length) this.#flushSlice();
      const at = this.#filled;
      const to = Math.min(count, from + this.#memory.length - at);
      this.#put(at, from, to, customer, agent);
      this.#filled += to - from;
      from = to;
    }
    this.#samples += count;
  }

  /** From the hot path of every call: one pass, and nothing is looked up within it. */
  #put(at: number, from: number, to: number, customer: Int16Array | null, agent: Int16Array): void {
    const memory = this.#memory;
    const heard = customer ?? NOTHING;
    for (let i = from; i < to; i++) {
      memory[at + i - from] = ((agent[i] ?? 0) << 16) | ((heard[i] ?? 0) & LOWER_HALF);
    }
  }

  mend(fromSample: number, customer: Int16Array): void {
    const memory = this.#memory;
    const from = fromSample - this.#flushedSamples;
    const to = Math.min(this.#filled, from + customer.length);
    for (let at = Math.max(0, from); at < to; at++) {
      memory[at] = (memory[at]! & ~LOWER_HALF) | (customer[at - from]! & LOWER_HALF);
    }
  }

  unsay(lastMs: number): void {
    const flushed = this.#flushedSamples;
    const from = this.#filled - Math.round((lastMs * this.#rateHz) / 1000);
    const fade = fadeSamples(this.#rateHz);
    silenceAgent(this.#memory.subarray(0, this.#filled), from, fade);
    if (from < fade && flushed > 0) this.#unsaid.push({ from: flushed + from, to: flushed });
  }

  close(): Promise<RecordedFile> {
    return (this.#closed ??= this.#finish());
  }

  #finish(): Promise<RecordedFile> {
    this.#save(this.#filled);
    return this.#file.finish(async (file) => {
      const saved = Math.floor(this.#savedBytes / STEREO_FRAME_BYTES);
      const fade = fadeSamples(this.#rateHz);
      for (const { from, to } of this.#unsaid)
        await silenceAgentOnDisk(file, { from, to: Math.min(to, saved) }, fade);
      return seal(file, this.#rateHz, this.#savedBytes);
    });
  }

  /** The oldest slice goes to the disk. */
  #flushSlice(): void {
    this.#save(this.#sliceSamples);
    this.#memory.copyWithin(0, this.#sliceSamples);
    this.#flushedSamples += this.#sliceSamples;
    this.#filled -= this.#sliceSamples;
  }

  #save(samples: number): void {
    const sizeBytes = samples * STEREO_FRAME_BYTES;
    if (this.#failure || sizeBytes === 0) return;
    if (this.#slicesBehind === LONGEST_BACKLOG_SLICES) {
      const startMs = (this.#flushedSamples * 1000) / this.#rateHz;
      this.#lack(startMs, startMs + (samples * 1000) / this.#rateHz);
      this.#skippedBytes += sizeBytes;
      return;
    }
    this.#catchUp();
    this.#slicesBehind++;
    this.#file.append(new Uint8Array(this.#memory.buffer, 0, sizeBytes)).then(
      () => {
        this.#savedBytes += sizeBytes;
        this.#slicesBehind--;
      },
      (error: Error) => this.#fail(error),
    );
  }

  /** Leaves room for what the disk was too far behind for. */
  #catchUp(): void {
    const skipped = this.#skippedBytes;
    if (skipped === 0) return;
    this.#skippedBytes = 0;
    this.#file.skip(skipped).then(
      () => void (this.#savedBytes += skipped),
      (error: Error) => this.#fail(error),
    );
  }

  /** Gaps that touch are one. */
  #lack(startMs: number, endMs: number): void {
    const last = this.#gaps.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else this.#gaps.push({ startMs, endMs });
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#onFailure?.(error);
  }
}

/** Takes the agent's side out from a sample on, and fades it in those before; one number a sample, as in the file. */
function silenceAgent(sound: Int32Array, from: number, fade: number): void {
  for (let at = Math.max(0, from - fade); at < sound.length; at++) {
    const agent = Math.round((sound[at]! >> 16) * fadeGain(from - at, fade));
    sound[at] = (agent << 16) | (sound[at]! & LOWER_HALF);
  }
}

/** The same in the file, up to a sample. */
async function silenceAgentOnDisk(
  file: FileHandle,
  { from, to }: { from: number; to: number },
  fade: number,
): Promise<void> {
  const start = Math.max(0, from - fade);
  if (to <= start) return;
  const position = WAV_HEADER_BYTES + start * STEREO_FRAME_BYTES;
  const sound = new Int32Array(to - start);
  const bytes = new Uint8Array(sound.buffer);
  await file.read(bytes, 0, bytes.length, position);
  silenceAgent(sound, from - start, fade);
  await file.write(bytes, 0, bytes.length, position);
}

/** Cuts the file to whole samples of `dataBytes`, writes the true header and waits for the disk. */
async function seal(file: FileHandle, rateHz: number, dataBytes: number): Promise<RecordedFile> {
  const wholeBytes = dataBytes - (dataBytes % STEREO_FRAME_BYTES);
  const sizeBytes = WAV_HEADER_BYTES + wholeBytes;
  await file.truncate(sizeBytes);
  await file.write(stereoHeader(rateHz, wholeBytes), 0, WAV_HEADER_BYTES, 0);
  await file.sync();
  return { sizeBytes, durationMs: durationMs(wholeBytes, STEREO_FRAME_BYTES, rateHz) };
}
