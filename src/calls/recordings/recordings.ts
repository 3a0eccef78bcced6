import { access, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Principal } from '#access/keys/principal.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import { ComputeThread } from '#kernel/system/compute-thread.js';
import type { Waveform, WaveformQuestion } from '#media/recording/waveform.js';
import type { Store } from '#store/store.js';
import { recordingUnits } from './recording-store.js';
import type { RecordingRow } from './recording.js';

/** What can be done with recordings: their rows and the files beside the database. */
export class Recordings {
  readonly #parts: { store: Store; recordingsDir: string };
  readonly #reader: ComputeThread<WaveformQuestion>;

  constructor(parts: { store: Store; recordingsDir: string; log: Log }) {
    this.#parts = parts;
    this.#reader = new ComputeThread(
      { name: 'waveforms', path: 'media/recording/waveform-thread.js' },
      parts,
    );
  }

  /** @throws Problem `call_not_found`, or `recording_not_found` while there is nothing to hear */
  get(principal: Pick<Principal, 'workspace'>, callId: string): Promise<RecordingRow> {
    return this.#parts.store.read(recordingUnits.get, { workspace: principal.workspace, callId });
  }

  /** The recording of a call whoever asks: only behind a signed link. */
  getSigned(callId: string): Promise<RecordingRow> {
    return this.#parts.store.read(recordingUnits.get, { workspace: null, callId });
  }

  /** @throws Problem `recording_not_found` where somebody has cleared the file away */
  async requireFile({ file_name: fileName }: RecordingRow): Promise<void> {
    await access(join(this.#parts.recordingsDir, fileName)).catch(() => {
      throw new Problem('recording_not_found', 'The file of the recording no longer exists.');
    });
  }

  /** Where the file of a recording lies. */
  pathOf({ file_name: fileName }: RecordingRow): string {
    return join(this.#parts.recordingsDir, fileName);
  }

  /** How loud both sides are over a recording, in so many stretches. @throws Problem as {@link get} */
  async waveform(
    principal: Pick<Principal, 'workspace'>,
    callId: string,
    buckets: number,
  ): Promise<Waveform> {
    const recording = await this.get(principal, callId);
    await this.requireFile(recording);
    return this.#reader.ask({ path: this.pathOf(recording), buckets });
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  /** The file goes first: while it cannot be deleted, there is a row that says so, and the request can be repeated. */
  async remove(principal: Pick<Principal, 'workspace'>, callId: string): Promise<void> {
    const { file_name: fileName } = await this.get(principal, callId);
    await this.removeFile(fileName);
    await this.#parts.store.write(recordingUnits.remove, { workspace: principal.workspace, callId });
  }

  /** Deletes a file that no row speaks of any more; one that is gone already is as good as deleted. */
  async removeFile(fileName: string): Promise<void> {
    await unlink(join(this.#parts.recordingsDir, fileName)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw new Problem('unavailable', 'The recording could not be deleted.');
    });
  }
}
