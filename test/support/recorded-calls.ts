import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { recordingTransactions } from '#calls/recordings/recording-store.js';
import type { RecordingRow } from '#calls/recordings/recording.js';
import { createDiskWriter } from '#media/recording/disk-writer.js';
import { createRecorder, repairRecording } from '#media/recording/recording.js';
import type { S3Settings } from '#object-storage/s3-settings.js';
import { CallRig } from './call-rig.js';
import { settle } from './fake-clock.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { temporaryFolder } from './temporary-folder.js';

/** Frames of 20 ms at 8 kHz. */
const FRAME = 160;
const FRAMES_PER_SECOND = 50;
/** Of both sides: what a second takes in a file. */
export const BYTES_PER_SECOND = 32_000;

/** Calls that are recorded on disks of this machine, and kept in a storage that is in memory. */
export class RecordedCalls {
  readonly rig: CallRig;
  readonly objects: MemoryObjectStore;
  readonly folders = { folder_1: temporaryFolder(), folder_2: temporaryFolder() };

  private constructor(rig: CallRig, settings: Partial<S3Settings>) {
    this.rig = rig;
    this.objects = new MemoryObjectStore(rig.clock);
    rig.objectStorage = this.objects.open(settings);
    const disk = createDiskWriter();
    rig.record = (options) => createRecorder(options, { disk });
    rig.repaired = repairRecording;
  }

  /** With one process. @param settings of its storage */
  static async open(settings: Partial<S3Settings> = {}): Promise<RecordedCalls> {
    const calls = new RecordedCalls(await CallRig.open(), settings);
    await calls.start('folder_1');
    return calls;
  }

  /** A call whose recording goes to object storage. */
  talking() {
    return this.rig.talking({ record_storage: 's3' });
  }

  /** A process that has a folder of recordings. */
  async start(folderId: keyof RecordedCalls['folders']) {
    const { rig } = this;
    Object.assign(rig, { folderId, recordingsDir: this.folders[folderId] });
    const process = rig.build();
    Object.assign(rig, { callService: process });
    await process.start();
    return process;
  }

  /** Both speak for so long, at once; the disk has it but for the last second. */
  async speak(callId: string, seconds: number): Promise<void> {
    const recorder = this.rig.recorders.at(-1)!;
    for (let frame = 0; frame < seconds * FRAMES_PER_SECOND; frame += 1) {
      const level = 1 + (frame % 20_000);
      recorder.write(new Int16Array(FRAME).fill(level), new Int16Array(FRAME).fill(-level));
      // A disk that is behind for long gets no more.
      if (frame % FRAMES_PER_SECOND === 0) await this.#comesToRest();
    }
    await this.#comesToRest();
    expect(existsSync(this.file(callId))).toBe(true);
  }

  /** Lets time pass; what is written or sent meanwhile takes none. */
  async pass(durationMs: number, stepMs = 5_000): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
      const ms = Math.min(stepMs, durationMs - passedMs);
      await this.rig.pass(ms, ms);
      await this.#comesToRest();
    }
  }

  /** Lets time pass until the condition holds, at the longest for some minutes. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    for (let round = 0; round < 400; round += 1) {
      if (await condition()) return;
      await this.pass(2_000, 2_000);
    }
    throw new Error('the condition never held');
  }

  /** All parts that are stored, in their order. */
  get parts(): Buffer[] {
    const keys = this.objects.keys.filter((key) => key.includes('.part-'));
    return keys.map((key) => this.objects.bytesOf(key));
  }

  /** Time passes until so many seconds are stored in parts, and no longer than that may take. */
  async untilInParts(seconds: number): Promise<void> {
    const from = this.rig.clock.wallMs();
    await this.until(() => Buffer.concat(this.parts).length >= seconds * BYTES_PER_SECOND);
    expect(this.rig.clock.wallMs() - from).toBeLessThanOrEqual(30_000);
  }

  async recording(callId: string): Promise<RecordingRow> {
    return (await this.rig.store.read(recordingTransactions.latest, { callId }))!;
  }

  file(callId: string, folderId: keyof RecordedCalls['folders'] = 'folder_1'): string {
    return join(this.folders[folderId], `${callId}.wav`);
  }

  /** The call that was begun last ends. */
  async end(callId: string): Promise<void> {
    this.rig.conversations.at(-1)!.end({ by: 'agent' });
    await this.rig.reaches(callId, 'completed');
    await this.#comesToRest();
  }

  /** Time passes until a recording is nowhere but in the storage, as one object. */
  async untilStored(callId: string): Promise<RecordingRow> {
    await this.until(async () => {
      const { storage, parts } = await this.recording(callId);
      return storage === 's3' && parts === 0;
    });
    return this.recording(callId);
  }

  async #comesToRest(): Promise<void> {
    while (this.objects.isAtWork || isAtFiles()) await settle();
  }
}

function isAtFiles(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
}
