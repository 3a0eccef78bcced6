import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MemoryFault } from '#test/support/memory-object-store.js';
import { rows } from '#test/support/tier.js';
import { BYTES_PER_SECOND, RecordedCalls } from '#test/support/recorded-calls.js';

const SECONDS = 3;

/** What is wrong with a storage for a while, as it is told apart in the log. */
const FAULTS: readonly { what: string; fault: MemoryFault; failure: string }[] = [
  { what: 'is busy', fault: { status: 503, code: 'SlowDown' }, failure: 'unreachable' },
  { what: 'cuts connections', fault: 'reset', failure: 'unreachable' },
  { what: 'loses its answers', fault: 'lost', failure: 'unreachable' },
  { what: 'is full', fault: { status: 507, code: 'XMinioStorageFull' }, failure: 'full' },
  { what: 'has no such bucket', fault: { status: 404, code: 'NoSuchBucket' }, failure: 'not_found' },
];

async function waiting(calls: RecordedCalls): Promise<string> {
  const { id } = await calls.talking();
  await calls.speak(id, SECONDS);
  await calls.end(id);
  await calls.until(async () => (await calls.recording(id)).status === 'ready');
  return id;
}

/** Time passes with a storage that fails: the file stays, and the recording with it. */
async function staysOnDisk(calls: RecordedCalls, id: string, failure: string): Promise<void> {
  const { rig } = calls;
  await calls.pass(120_000, 5_000);
  expect(existsSync(calls.file(id))).toBe(true);
  expect(await calls.recording(id)).toMatchObject({ status: 'ready', storage: 'local' });
  const told = rig.log.lines.filter(({ msg }) => msg === 'object storage failed');
  expect(new Set(told.map((line) => line['failure']))).toEqual(new Set([failure]));
}

async function isTakenThere(calls: RecordedCalls, id: string): Promise<void> {
  expect(await calls.untilStored(id)).toMatchObject({ storage: 's3', gaps: [] });
  expect(calls.objects.bytesOf(`${id}.wav`)).toHaveLength(SECONDS * BYTES_PER_SECOND + 44);
  await calls.until(() => !existsSync(calls.file(id)));
}

describe.each(rows(1, ['path', 'host'] as const))('an upload to a storage addressed in %s style', (style) => {
  it.each(rows(2, FAULTS))(
    'loses nothing while it $what, and is done after that',
    async ({ fault, failure }) => {
      const calls = await RecordedCalls.open({ style });
      calls.objects.fault = () => fault;
      const id = await waiting(calls);
      await staysOnDisk(calls, id, failure);
      calls.objects.fault = () => null;
      await isTakenThere(calls, id);
    },
  );

  it('waits for answers that are late', async () => {
    const calls = await RecordedCalls.open({ style });
    calls.objects.latencyMs = 25_000;
    const id = await waiting(calls);
    await isTakenThere(calls, id);
    expect(calls.rig.log.lines.filter(({ msg }) => msg === 'object storage failed')).toEqual([]);
  });

  it('loses nothing after its key was changed, and goes on with a process that has the new one', async () => {
    const calls = await RecordedCalls.open({ style });
    calls.objects.secretAccessKey = 'another-secret-of-tests';
    const id = await waiting(calls);
    await staysOnDisk(calls, id, 'forbidden');
    await calls.rig.stop();
    const { secretAccessKey } = calls.objects;
    calls.rig.objectStorage = calls.objects.open({ style, secretAccessKey });
    await calls.start('folder_1');
    await isTakenThere(calls, id);
  });

  it('loses nothing while its clock is off, and is done once it is right', async () => {
    const calls = await RecordedCalls.open({ style });
    calls.objects.clockOffsetMs = 3_600_000;
    const id = await waiting(calls);
    await staysOnDisk(calls, id, 'clock');
    calls.objects.clockOffsetMs = 0;
    await isTakenThere(calls, id);
  });
});
