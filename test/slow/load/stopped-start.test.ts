import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { once } from '#test/support/call-story.js';
import { spawnService, startService } from '#test/support/service.js';
import { buildTestService } from '#test/support/test-service.js';

/** More than a service can dial in the time that these tests give it. */
const CALLS = 12;
const ONE_AT_A_TIME = { MAX_CONCURRENT_CALLS: '1', INBOUND_SHARE_PERCENT: '0', DRAIN_TIMEOUT_SECONDS: '0' };

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stopped-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** How many calls the sandbox network was asked to place. */
function dialledIn(folder: string): number {
  const file = join(folder, 'ledger.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').match(/"dialled"/g)!.length : 0;
}

it.each([0, 1, 2, 4, 8, 16, 32])(
  'nothing begins after a service was drained, %i turns into its start',
  async (turns) => {
    const folder = await temporaryFolder();
    const environment = { SANDBOX_LEDGER: join(folder, 'ledger.jsonl'), DRAIN_TIMEOUT_SECONDS: '0' };
    const service = await buildTestService({ environment });
    onTestFinished(() => service.close());
    for (let call = 0; call < CALLS; call += 1) {
      const body = { to_number: `+1555020${1_000 + call}` };
      expect((await service.request('POST', '/outbound-call', body)).status).toBe(200);
    }
    const listening = service.app.listen();
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    await service.app.drain();
    const dialled = dialledIn(folder);
    await listening;
    await service.app.close();

    expect(dialledIn(folder)).toBe(dialled);
  },
);

it('a service that is told to stop while it starts calls nobody, and its calls wait for the next start', async () => {
  const folder = await temporaryFolder();
  const before = await startService(folder, ONE_AT_A_TIME);
  for (let call = 0; call < CALLS; call += 1)
    await before.request('POST', '/outbound-call', { to_number: '+15550100003' });
  expect(await before.stop()).toBe(0);
  const dialled = dialledIn(folder);
  expect(dialled).toBeLessThan(CALLS);

  const stopped = spawnService(folder, { ...ONE_AT_A_TIME, Environment: 'production' });
  await stopped.prints(/database is open/);
  stopped.process.kill('SIGTERM');
  expect(await stopped.ended).toMatchObject({ code: 0 });
  expect(dialledIn(folder)).toBe(dialled);

  const after = await startService(folder, ONE_AT_A_TIME);
  onTestFinished(() => after.kill());
  await once(async () => expect(dialledIn(folder)).toBeGreaterThan(dialled));
});
