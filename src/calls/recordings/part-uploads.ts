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

/** Between two looks at what a recording has grown by: with the upload itself less than half a minute. */
const EVERY_MS = 20_000;
/** A part is read whole, and hashed on the thread of the calls. Half a minute of telephone sound. */
const MOST_PART_BYTES = 1024 * 1024;
/** Parts on their way at once, of all calls: bounds the memory that a storage which says nothing takes. */
const PARTS_AT_ONCE = 4;

interface PartUploadsParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  storage: ObjectStorage;
  /** Of the folder that the files are in. */
  folderId: string;
  /** There are objects to be deleted. */
  onDiscardDue(): void;
}

/** A recording that grows. */
interface Growing {
  callId: string;
  fileName: string;
  path: string;
  recorder: Pick<Recorder, 'savedBytes' | 'gaps'>;
}

/**
 * Stores what calls have recorded while they go on, so that the recording of a process that dies can be completed by
 * another one. The file on the disk stays the recording: a part that fails is tried again, and delays nothing.
 */
export class PartUploads {
  readonly #parts: PartUploadsParts;
  readonly #places = new Semaphore(PARTS_AT_ONCE);
  readonly #failures: FailureLog;

  constructor(parts: PartUploadsParts) {
    this.#parts = parts;
    const messages = {
      failed: 'parts of live recordings cannot be stored',
      recovered: 'parts of live recordings are stored again',
    };
    this.#failures = new FailureLog(messages, parts);
  }

  /** Begins with a recording; returns how to stop, which waits for nothing. */
  begin(growing: Growing): () => void {
    const upload = new PartUpload(growing, this.#parts);
    const run = () =>
      this.#places
        .run(() => upload.catchUp())
        .then(
          () => this.#failures.worked(),
          (error: unknown) => this.#failures.failed(error),
        );
    const task = new PeriodicTask(this.#parts.clock, { everyMs: EVERY_MS, run });
    task.start();
    return () => {
      upload.stop();
      task.halt();
    };
  }
}

/** The parts of one recording, one after the other. */
class PartUpload {
  readonly #growing: Growing;
  readonly #parts: PartUploadsParts;
  readonly #objectKey: string;
  /** Sound in the parts that are stored. */
  #storedBytes = 0;
  #stored = 0;
  /** Of the next part once it was begun: trying again sends the same bytes, whichever of both arrives last. */
  #begunBytes: number | null = null;
  /** It may be on its way, or have arrived, though its answer was lost. */
  #isTried = false;
  #isStopped = false;

  constructor(growing: Growing, parts: PartUploadsParts) {
    this.#growing = growing;
    this.#parts = parts;
    this.#objectKey = parts.storage.keyOf(growing.fileName);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Stores what is on the disk by now. @throws StorageError, or of the disk or the database */
  async catchUp(): Promise<void> {
    while (!this.#isStopped) {
      const grown = this.#growing.recorder.savedBytes - this.#storedBytes;
      const sizeBytes = (this.#begunBytes ??= Math.min(grown, MOST_PART_BYTES));
      if (sizeBytes === 0) {
        this.#begunBytes = null;
        return;
      }
      if (!(await this.#storeNext(sizeBytes))) return this.stop();
    }
  }

  /** False where the recording is not this process's any more: its call is over, or was taken for dead. */
  async #storeNext(sizeBytes: number): Promise<boolean> {
    const { store, storage, folderId } = this.#parts;
    const { callId, path, recorder } = this.#growing;
    const number = this.#stored + 1;
    // Written before the upload, so that a deletion finds the part even after a crash.
    const facts = { callId, folderId, number, objectKey: this.#objectKey };
    if (!(await store.write(recordingTransactions.beginPart, facts))) return this.#leave(number);
    const sound = await readSound(path, this.#storedBytes, sizeBytes);
    this.#isTried = true;
    const outcome = await storage.put(partKey(this.#objectKey, number), sound).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const storedBytes = this.#storedBytes + (outcome ? 0 : sizeBytes);
    const kept = { callId, folderId, partBytes: storedBytes, gaps: gapsOf(recorder) };
    if (!(await store.write(recordingTransactions.keepPart, kept))) return this.#leave(number);
    if (outcome) throw outcome.error;
    this.#storedBytes = storedBytes;
    this.#stored = number;
    this.#begunBytes = null;
    this.#isTried = false;
    return true;
  }

  /** The recording is in other hands, or done with: a part that arrives after the others were removed has to go. */
  async #leave(number: number): Promise<false> {
    const { store, clock, onDiscardDue } = this.#parts;
    if (!this.#isTried) return false;
    const { callId } = this.#growing;
    await store.write(recordingTransactions.removeLatePart, { callId, number, at: clock.wallMs() });
    onDiscardDue();
    return false;
  }
}

async function readSound(path: string, offset: number, sizeBytes: number): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const sound = new Uint8Array(sizeBytes);
    const { bytesRead } = await file.read(sound, 0, sizeBytes, WAV_HEADER_BYTES + offset);
    if (bytesRead !== sizeBytes) throw new Error('the file of a recording became shorter');
    return sound;
  } finally {
    await file.close();
  }
}
