import { open, type FileHandle } from 'node:fs/promises';
import type { SampleRateHz } from './audio.js';
import type { DiskWriter, GrowingFile } from './disk-writer.js';
import {
  durationMs,
  readWavInfo,
  SIZE_UNKNOWN,
  STEREO_FRAME_BYTES,
  stereoHeader,
  WAV_HEADER_BYTES,
} from './wav.js';

/** How much sound goes to the disk at a time. What a crash loses is at most this. */
const SLICE_MS = 1_000;
/** A disk that is this far behind is as good as full: sound would pile up in memory. */
const LONGEST_BACKLOG_SLICES = 30;
const SAMPLES_PER_FRAME = 2;

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
  /** Both sides of the same stretch of time, usually one frame. Copied; the shorter side is filled up with silence. */
  write(customer: Int16Array, agent: Int16Array): void;
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
  readonly #sliceSamples: number;
  #slice: Int16Array;
  #spare: Int16Array | null = null;
  #filled = 0;
  #frames = 0;
  #savedBytes = 0;
  #slicesBehind = 0;
  #failure: Error | null = null;
  #closed: Promise<RecordedFile> | null = null;

  constructor(file: GrowingFile, rateHz: SampleRateHz, onFailure: ((error: Error) => void) | undefined) {
    this.#file = file;
    this.#rateHz = rateHz;
    this.#onFailure = onFailure;
    this.#sliceSamples = (rateHz / 1000) * SLICE_MS * SAMPLES_PER_FRAME;
    this.#slice = new Int16Array(this.#sliceSamples);
    file.append(stereoHeader(rateHz, SIZE_UNKNOWN)).catch((error: Error) => this.#fail(error));
  }

  get positionMs(): number {
    return (this.#frames * 1000) / this.#rateHz;
  }

  get failure(): Error | null {
    return this.#failure;
  }

  write(customer: Int16Array, agent: Int16Array): void {
    if (this.#closed) return;
    const count = Math.max(customer.length, agent.length);
    this.#frames += count;
    for (let i = 0; i < count; i++) {
      this.#slice[this.#filled++] = i < customer.length ? customer[i]! : 0;
      this.#slice[this.#filled++] = i < agent.length ? agent[i]! : 0;
      if (this.#filled === this.#sliceSamples) this.#flush();
    }
  }

  close(): Promise<RecordedFile> {
    return (this.#closed ??= this.#finish());
  }

  #finish(): Promise<RecordedFile> {
    this.#flush();
    return this.#file.finish((file) => seal(file, this.#rateHz, this.#savedBytes));
  }

  #flush(): void {
    const slice = this.#slice;
    const sizeBytes = this.#filled * Int16Array.BYTES_PER_ELEMENT;
    this.#filled = 0;
    if (this.#failure || sizeBytes === 0) return;
    if (this.#slicesBehind === LONGEST_BACKLOG_SLICES) {
      return this.#fail(new Error(`the disk is ${LONGEST_BACKLOG_SLICES} s behind`));
    }
    this.#slicesBehind++;
    this.#slice = this.#spare ?? new Int16Array(this.#sliceSamples);
    this.#spare = null;
    const saved = this.#file.append(new Uint8Array(slice.buffer, 0, sizeBytes));
    saved.then(
      () => {
        this.#savedBytes += sizeBytes;
        this.#slicesBehind--;
        this.#spare = slice;
      },
      (error: Error) => this.#fail(error),
    );
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#onFailure?.(error);
  }
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
