import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { moveRecordings, type MoveProgress } from '#calls/recordings/move-recordings.js';
import { systemClock } from '#kernel/time/clock.js';
import { S3Storage } from '#object-storage/s3-storage.js';
import { createFetch } from '#outbound-http/fetch.js';
import { openHttpPool } from '#outbound-http/pool.js';
import { startObjectStore } from '#test/support/object-store.js';
import { insertCall, insertRow } from '#test/support/rows.js';
import { openTestStore } from '#test/support/store.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const DAY_MS = 86_400_000;
const NOW = systemClock.wallMs();

async function openMove() {
  const store = await openTestStore();
  const objects = await startObjectStore();
  const pool = openHttpPool({ clock: systemClock });
  onTestFinished(async () => {
    await pool.close();
    await objects.close();
  });
  const folder = temporaryFolder();
  const pathOf = (name: string) => join(folder, name);
  for (const [number, days] of [1, 2, 40].entries()) {
    const id = `call_${number}`;
    await insertCall(store, id);
    writeFileSync(pathOf(`${id}.wav`), `sound ${number}`);
    await insertRow(store, 'recordings', {
      id: `rec_${number}`,
      call_id: id,
      workspace: 'default',
      status: 'ready',
      storage: 'local',
      file_name: `${id}.wav`,
      format: 'wav',
      sample_rate: 8000,
      channels: 2,
      size_bytes: 7,
      duration_ms: 1,
      created_at: NOW - days * DAY_MS,
    });
  }
  const storage = new S3Storage(objects.settings, { fetch: createFetch({ pool }), clock: systemClock });
  const places = async () =>
    (await store.read(sqlTransactions.all, { sql: 'select storage from recordings order by id' })).map(
      (row) => row['storage'],
    );
  const move = async (to: 's3' | 'local', olderThanDays = 0) => {
    const lines: MoveProgress[] = [];
    const begunBefore = NOW - olderThanDays * DAY_MS;
    const moving = { store, clock: systemClock, storage, pathOf, folderId: 'folder_1' };
    const result = await moveRecordings({ to, begunBefore }, moving, (line) => lines.push(line));
    return { ...result, lines };
  };
  return { objects, pathOf, places, move };
}

it('moves recordings to object storage and back, as old as is asked for', async () => {
  const { pathOf, places, move } = await openMove();
  expect(await move('s3', 30)).toMatchObject({ moved: 1, failed: 0, lines: [{ callId: 'call_2' }] });
  expect(await places()).toEqual(['local', 'local', 's3']);
  expect(existsSync(pathOf('call_2.wav'))).toBe(false);
  expect(await move('s3')).toMatchObject({ moved: 2 });
  expect(await move('s3')).toMatchObject({ moved: 0 });
  expect(await move('local')).toMatchObject({ moved: 3, failed: 0 });
  expect(await places()).toEqual(['local', 'local', 'local']);
  expect(readFileSync(pathOf('call_2.wav'), 'utf8')).toBe('sound 2');
});

it('leaves what cannot be moved where it is, says why, and goes on with it the next time', async () => {
  const { objects, pathOf, places, move } = await openMove();
  objects.fail(({ url }) => (url!.includes('call_1') ? { status: 503, code: 'SlowDown' } : null));
  const first = await move('s3');
  expect(first).toMatchObject({ moved: 2, failed: 1 });
  expect(first.lines[1]).toEqual({
    callId: 'call_1',
    sizeBytes: 7,
    failure: 'the storage answered 503 (SlowDown)',
  });
  expect(await places()).toEqual(['s3', 'local', 's3']);
  expect(existsSync(pathOf('call_1.wav'))).toBe(true);
  objects.fail(null);
  expect(await move('s3')).toMatchObject({ moved: 1, failed: 0 });
});
