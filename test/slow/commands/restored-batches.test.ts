import Database from 'better-sqlite3';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { restoredTransactions } from '#batches/dispatch/hold-batches.js';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { BatchRig } from '#test/support/batch-rig.js';
import type { BatchAnswer } from '#test/support/batches.js';
import { once } from '#test/support/call-story.js';
import { startChild } from '#test/support/child.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { runCommand } from '#test/support/run-command.js';
import type { TestService } from '#test/support/test-service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { unansweredStreet } from '#test/support/unanswered-street.js';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

const LINES = '2';
const NUMBERS = Array.from({ length: 6 }, (_, i) => `+1415555210${i}`);

async function batchOf(service: TestService, id: string): Promise<BatchAnswer> {
  return (await service.request('GET', `/api/batches/${id}`)).body as BatchAnswer;
}

it('a restored batch calls nobody until it is resumed, and then everybody who waits', async () => {
  const { environment, open, dialled } = unansweredStreet({ MAX_CONCURRENT_CALLS: LINES });
  const before = await open();
  const made = await before.request('POST', '/batch/schedule-call', { to_number: NUMBERS });
  const { id } = made.body as BatchAnswer;
  await once(() => expect(dialled()).toHaveLength(Number(LINES)));
  const backup = join(temporaryFolder(), 'backup.db');
  await runCommand(environment, 'backup', backup);
  await before.close();
  const rang = dialled();

  expect((await runCommand(environment, 'restore', backup)).join('\n')).toContain('1 batch was paused');
  const after = await open();
  onTestFinished(() => after.close());
  await once(async () => expect(await batchOf(after, id)).toMatchObject({ status: 'paused', live_calls: 0 }));
  expect((await batchOf(after, id)) as object).toMatchObject({ pause_reason: 'restored from a backup' });
  expect(dialled()).toEqual(rang);

  expect((await after.request('POST', `/api/batches/${id}/resume`)).status).toBe(200);
  await once(() => expect(dialled().length).toBeGreaterThan(rang.length));
  expect(rang).not.toContain(dialled().at(-1));
});

it('a batch calls nobody when the service comes back after hours, until it is resumed', async () => {
  const { environment, open, dialled } = unansweredStreet({ MAX_CONCURRENT_CALLS: LINES });
  const before = await open();
  const made = await before.request('POST', '/batch/schedule-call', { to_number: NUMBERS });
  const { id } = made.body as BatchAnswer;
  await once(() => expect(dialled()).toHaveLength(Number(LINES)));
  await before.close();
  const rang = dialled();
  const database = new Database(join(environment.DATA_DIR, 'callwright.db'));
  const twoHoursBack = `update housekeeping set reached_at = reached_at - 7200000 where name = 'batches'`;
  expect(database.prepare(twoHoursBack).run().changes).toBe(1);
  database.close();

  const after = await open();
  onTestFinished(() => after.close());
  await once(async () => expect(await batchOf(after, id)).toMatchObject({ status: 'paused', live_calls: 0 }));
  expect(dialled()).toEqual(rang);

  expect((await after.request('POST', `/api/batches/${id}/resume`)).status).toBe(200);
  await once(() => expect(dialled().length).toBeGreaterThan(rang.length));
});

it('holds the batches before the backup takes the place of the database, so that no kill comes in between', async () => {
  const { environment, open, dialled } = unansweredStreet({ MAX_CONCURRENT_CALLS: LINES });
  const before = await open();
  await before.request('POST', '/batch/schedule-call', { to_number: NUMBERS });
  await once(() => expect(dialled()).toHaveLength(Number(LINES)));
  const backup = join(temporaryFolder(), 'backup.db');
  await runCommand(environment, 'backup', backup);
  await before.close();

  const restoring = startChild(process.execPath, [CLI, 'restore', backup, '--force'], {
    cwd: environment.DATA_DIR,
    environment,
  });
  await restoring.prints(/is restored/);
  restoring.process.kill('SIGKILL');
  await restoring.ended;
  const database = new Database(join(environment.DATA_DIR, 'callwright.db'), { readonly: true });
  onTestFinished(() => void database.close());
  expect(database.prepare('select status, pause_reason from batches').all()).toEqual([
    { status: 'paused', pause_reason: 'restored from a backup' },
  ]);
});

it('takes back whom the process of the backup had in the queue or in its hand, and finishes once it is resumed', async () => {
  const rig = await BatchRig.open();
  const { id } = await rig.make(3);
  await rig.feed();
  const now = rig.clock.wallMs();
  const lease = { nodeId: 'node_gone', leaseUntil: now + 45_000 };
  expect(
    await rig.store.write(dialTransactions.claim, { ...lease, now, limit: 1, forBatches: 0 }),
  ).toHaveLength(1);

  expect(await rig.store.write(restoredTransactions.hold, { at: now })).toBe(1);
  expect(await rig.store.write(dialTransactions.claim, { ...lease, now, limit: 9, forBatches: 0 })).toEqual(
    [],
  );
  await rig.feed();
  expect(await rig.read(id)).toMatchObject({ status: 'paused', live_calls: 0 });
  expect(await rig.queued()).toEqual([]);

  await rig.batches.resume(PRINCIPAL, id);
  await rig.feed();
  expect(await rig.callAll('agent_hangup')).toHaveLength(3);
  expect(await rig.read(id)).toMatchObject({ status: 'completed' });
});
