import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RecordingMoves } from '#calls/after-call/recording-moves.js';
import { createIds } from '#kernel/ids/ids.js';
import { repairRecording } from '#media/recording/recording.js';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { insertCall, insertRow } from '#test/support/rows.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { openTestStore } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

it('deletes an object whose call was erased, and its deletion done, while it was uploaded', async () => {
  const store = await openTestStore();
  const clock = new FakeClock();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'call_1.wav'), 'sound');
  await insertCall(store, 'call_1');
  await insertRow(store, 'recordings', {
    id: 'rec_1',
    call_id: 'call_1',
    workspace: 'default',
    status: 'ready',
    storage: 'local',
    file_name: 'call_1.wav',
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
  const parts = {
    store,
    clock,
    ids: createIds(clock),
    log: createMemoryLog().log,
    recordingsDir: folder,
    folderId: 'folder_1',
  };
  const moves = new RecordingMoves({
    ...parts,
    storage: storage as ObjectStorage,
    isLive: () => false,
    onRecordingDue: () => {},
    repair: repairRecording,
  });
  for (const job of await moves.claim(5)) await moves.perform(job);
  for (const job of await moves.claim(5)) await moves.perform(job);

  expect([...stored]).toEqual([]);
  expect(await moves.nextDueAt()).toBeNull();
});
