import { open } from 'node:fs/promises';
import type { ModuleContext } from '#store/module-context.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { Semaphore } from '#kernel/work/semaphore.js';
import type { Recorder } from '#media/recording/recording.js';
import { WAV_HEADER_BYTES } from '#media/samples/wav.js';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import { partKey } from './recording-parts.js';
import { gapsOf, recordingTransactions } from './recording-store.js';

/**
 * The interval between part uploads of a recording. A crash loses the audio of the last interval and of an upload in
 * progress: about half a minute.
 */
const UPLOAD_EVERY_MS = 20_000;
/**
 * The largest part, half a minute of telephone audio. It limits the time that hashing takes on the thread that carries
 * calls.
 */
const MAX_PART_BYTES = 1024 * 1024;
/** The limit of concurrent part uploads of all calls. It bounds the memory while the storage does not answer. */
const MAX_CONCURRENT_PARTS = 4;

/** The dependencies of {@link PartUploads}. */
interface PartUploadsDependencies extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  storage: ObjectStorage;
  /** The id of the folder with the files. */
  folderId: string;
  /** Called when the deletion of an object is due. */
  onDiscardDue(): void;
}

/** The recording of a live call, with the file that the recorder writes. */
interface LiveRecording {
  callId: string;
  fileName: string;
  path: string;
  /** Its `savedBytes` is the audio on the disk, without the WAV header. */
  recorder: Pick<Recorder, 'savedBytes' | 'gaps'>;
}

/**
 * Uploads the recordings of live calls in parts, so that another process can complete the recording if this one dies.
 * The file on the disk remains the recording: a failed part is retried, and does not delay the call. `AudioStreams`
 * starts it for each recorded call.
 */
export class PartUploads {
  readonly #dependencies: PartUploadsDependencies;
  readonly #semaphore = new Semaphore(MAX_CONCURRENT_PARTS);
  readonly #failures: FailureLog;

  constructor(dependencies: PartUploadsDependencies) {
    this.#dependencies = dependencies;
    const messages = {
      failed: 'parts of live recordings cannot be stored',
      recovered: 'parts of live recordings are stored again',
    };
    this.#failures = new FailureLog(messages, dependencies);
  }

  /** Starts the uploads of a recording. Returns the function that stops them, at once. */
  begin(live: LiveRecording): () => void {
    const upload = new PartUpload(live, this.#dependencies);
    const run = () =>
      this.#semaphore
        .run(() => upload.catchUp())
        .then(
          () => this.#failures.succeeded(),
          (error: unknown) => this.#failures.failed(error),
        );
    const task = new PeriodicTask(this.#dependencies.clock, { everyMs: UPLOAD_EVERY_MS, run });
    task.start();
    return () => {
      upload.stop();
      task.halt();
    };
  }
}

/** Uploads the parts of one recording in order. */
class PartUpload {
  readonly #live: LiveRecording;
  readonly #dependencies: PartUploadsDependencies;
  readonly #objectKey: string;
  /** Bytes of audio in the stored parts. */
  #storedBytes = 0;
  /** The number of stored parts. */
  #storedParts = 0;
  /** The size of the next part in bytes; null until the part is begun. A retry of the part sends the same bytes. */
  #begunBytes: number | null = null;
  /** True if the next part may be stored already: an upload was sent, and no success came back. */
  #isTried = false;
  #isStopped = false;

  constructor(live: LiveRecording, dependencies: PartUploadsDependencies) {
    this.#live = live;
    this.#dependencies = dependencies;
    this.#objectKey = dependencies.storage.keyOf(live.fileName);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Uploads all audio that is on the disk. @throws StorageError, or an error of the disk or the database */
  async catchUp(): Promise<void> {
    while (!this.#isStopped) {
      const newBytes = this.#live.recorder.savedBytes - this.#storedBytes;
      const sizeBytes = (this.#begunBytes ??= Math.min(newBytes, MAX_PART_BYTES));
      if (sizeBytes === 0) {
        this.#begunBytes = null;
        return;
      }
      if (!(await this.#storeNext(sizeBytes))) return this.stop();
    }
  }

  /** Uploads one part. False if this process no longer writes the recording: it is complete, deleted, or taken over. */
  async #storeNext(sizeBytes: number): Promise<boolean> {
    const { store, storage, folderId } = this.#dependencies;
    const { callId, path, recorder } = this.#live;
    const number = this.#storedParts + 1;
    // Written before the upload, so that a deletion finds the part even after a crash.
    const facts = { callId, folderId, number, objectKey: this.#objectKey };
    if (!(await store.write(recordingTransactions.beginPart, facts))) return this.#abandon(number);
    const audio = await readAudio(path, this.#storedBytes, sizeBytes);
    this.#isTried = true;
    const failure = await storage.put(partKey(this.#objectKey, number), audio).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    // Written also after a failure: the result shows whether this process still writes the recording.
    const storedBytes = this.#storedBytes + (failure ? 0 : sizeBytes);
    const kept = { callId, folderId, partBytes: storedBytes, gaps: gapsOf(recorder) };
    if (!(await store.write(recordingTransactions.keepPart, kept))) return this.#abandon(number);
    if (failure) throw failure.error;
    this.#storedBytes = storedBytes;
    this.#storedParts = number;
    this.#begunBytes = null;
    this.#isTried = false;
    return true;
  }

  /**
   * Gives the recording up; always false. A part that may arrive after the others were removed is queued for deletion.
   */
  async #abandon(number: number): Promise<false> {
    const { store, clock, onDiscardDue } = this.#dependencies;
    if (!this.#isTried) return false;
    const { callId } = this.#live;
    await store.write(recordingTransactions.removeLatePart, { callId, number, at: clock.wallMs() });
    onDiscardDue();
    return false;
  }
}

/** Reads audio from a WAV file; `offset` counts bytes of audio. */
async function readAudio(path: string, offset: number, sizeBytes: number): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const audio = new Uint8Array(sizeBytes);
    const { bytesRead } = await file.read(audio, 0, sizeBytes, WAV_HEADER_BYTES + offset);
    if (bytesRead !== sizeBytes) throw new Error('the file of a recording became shorter');
    return audio;
  } finally {
    await file.close();
  }
}
