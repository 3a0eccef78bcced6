import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RecordingMoves } from '#calls/after-call/recording-moves.js';
import { recordingTransactions } from '#calls/recordings/recording-store.js';
import { repairRecording } from '#media/recording/recording.js';
import type { Store } from '#store/store.js';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { insertCall, insertRow } from '#test/support/rows.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { openTestStore } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/** A recording of `call_1` in a folder, complete and due for its upload. */
async function uploadDue(recordingsDir: string): Promise<Store> {
  const store = await openTestStore();
  writeFileSync(join(recordingsDir, 'call_1.wav'), 'sound');
  await insertCall(store, 'call_1');
  await insertRow(store, 'recordings', {
    id: 'rec_1',
    call_id: 'call_1',
    workspace: 'default',
    status: 'ready',
    storage: 'local',
    file_name: 'call_1.wav',
    folder_id: 'folder_1',
    format: 'wav',
    sample_rate: 8000,
    channels: 2,
    size_bytes: 5,
    duration_ms: 1,
    created_at: 0,
  });
  const times = { due_at: 0, attempts: 0, created_at: 0, updated_at: 0 };
  await insertRow(store, 'jobs', {
    id: 'job_1',
    kind: 'upload',
    call_id: 'call_1',
    status: 'pending',
    ...times,
  });
  return store;
}

/** What moves recordings in a process with a folder. */
function movesOf(
  { store, clock, storage }: { store: Store; clock: FakeClock; storage: Partial<ObjectStorage> },
  folderId: string,
  recordingsDir: string,
): RecordingMoves {
  return new RecordingMoves({
    store,
    clock,
    log: createMemoryLog().log,
    recordingsDir,
    folderId,
    storage: storage as ObjectStorage,
    isLive: () => false,
    onRecordingDue: () => {},
    repair: repairRecording,
  });
}

it('deletes an object whose call was erased, and its deletion done, while it was uploaded', async () => {
  const clock = new FakeClock();
  const folder = temporaryFolder();
  const store = await uploadDue(folder);
  const stored = new Set<string>();
  const storage: Pick<ObjectStorage, 'keyOf' | 'upload' | 'remove'> = {
    keyOf: (name) => name,
    async upload(key, _path, onProgress) {
      await store.write(sqlTransactions.run, { sql: `update recordings set status = 'deleted'` });
      await store.write(sqlTransactions.run, { sql: 'delete from jobs' });
      stored.add(key);
      await onProgress(5);
    },
    remove: async (key) => void stored.delete(key),
  };
  const moves = movesOf({ store, clock, storage }, 'folder_1', folder);
  for (const job of await moves.claim(5)) await moves.perform(job);
  for (const job of await moves.claim(5)) await moves.perform(job);

  expect([...stored]).toEqual([]);
  expect(await moves.nextDueAt()).toBeNull();
});

it('leaves an upload to the process that has taken it over, whatever becomes of its own', async () => {
  const clock = new FakeClock();
  const folder = temporaryFolder();
  const store = await uploadDue(folder);
  const stored = new Set<string>();
  const gates: (() => void)[] = [];
  const gate = () => new Promise<void>((resolve) => gates.push(resolve));
  /** Uploads wait before they report progress. */
  const storage: Pick<ObjectStorage, 'keyOf' | 'upload' | 'remove'> = {
    keyOf: (name) => name,
    async upload(key, _path, onProgress) {
      await gate();
      await onProgress(5);
      stored.add(key);
    },
    remove: async (key) => void stored.delete(key),
  };
  const claimAndPerform = async (moves: RecordingMoves) => {
    const [job] = await moves.claim(5);
    return { done: moves.perform(job!) };
  };
  /** The store of a process that stands still before it writes that an object is to be deleted. */
  const slowStore = {
    read: store.read.bind(store),
    async write(transaction: never, args: never) {
      if (transaction === recordingTransactions.discard) await gate();
      return store.write(transaction, args);
    },
  } as Store;
  const parts = { store, clock, storage };
  const first = await claimAndPerform(movesOf({ ...parts, store: slowStore }, 'folder_1', folder));
  await expect.poll(() => gates.length, { timeout: 10_000 }).toBe(1);
  // Its lease ends: another process takes the job, does not have the file, and puts it off.
  await clock.advance(130_000);
  await (
    await claimAndPerform(movesOf(parts, 'folder_2', temporaryFolder()))
  ).done;
  gates.shift()!();
  await settle();
  // The first process is started again, and uploads while its former self goes on.
  await clock.advance(600_000);
  const second = await claimAndPerform(movesOf(parts, 'folder_1', folder));
  await expect.poll(() => gates.length, { timeout: 10_000 }).toBeGreaterThan(0);
  for (let open = gates.shift(); open; open = gates.shift()) {
    open();
    await settle();
  }
  await Promise.all([first.done, second.done]);

  expect([...stored]).toEqual(['call_1.wav']);
  const sql = 'select storage from recordings';
  expect(await store.read(sqlTransactions.all, { sql })).toEqual([{ storage: 's3' }]);
  expect(await store.read(sqlTransactions.all, { sql: 'select id from jobs' })).toEqual([]);
});
