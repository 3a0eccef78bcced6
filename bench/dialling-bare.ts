import Database from 'better-sqlite3';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#kernel/time/clock.js';
import { createLog } from '#kernel/log/log.js';
import { Loop } from '#kernel/work/loop.js';
import { openStore, startStoreThreads } from '#store/open-store.js';
import {
  cpuMicros,
  IN_A_MONTH_MS,
  SOON_MS,
  WARM_UPS,
  type Measured,
  type Sizes,
} from './dialling-measure.js';
import { QUEUE_MIGRATION, queueTransactions } from './dialling-row-store.js';

/** As many pieces in hand as the dialler has. */
const CONCURRENCY = 256;

/** A bare durable queue over the same store and loop: each piece is claimed, marked durably, and that is all. */
export async function drainBareQueue(folder: string, { calls, pending }: Sizes): Promise<Measured> {
  const migrationsDir = join(folder, 'migrations');
  mkdirSync(migrationsDir);
  writeFileSync(join(migrationsDir, '001-queue.sql'), QUEUE_MIGRATION);
  const log = createLog('ERROR');
  const store = await openStore(
    {
      databaseUrl: `sqlite:${join(folder, 'queue.db')}`,
      threads: startStoreThreads([new URL('./dialling-row-store.mjs', import.meta.url)]),
      migrationsDir,
      queueLimit: 5_000,
    },
    { log, clock: systemClock },
  );
  const database = new Database(join(folder, 'queue.db'), { timeout: 20_000 });
  fill(database, { from: 0, count: pending, dueAt: Date.now() + IN_A_MONTH_MS });

  let doneAt: number[] = [];
  let finish = () => {};
  const loop = new Loop(
    {
      name: 'bare',
      concurrency: CONCURRENCY,
      claim: (limit: number) =>
        store.write(queueTransactions.claim, { now: Date.now(), leaseUntil: Date.now() + 45_000, limit }),
      async perform(id: string) {
        await store.write(queueTransactions.mark, { id, at: Date.now() });
        doneAt.push(Date.now());
        if (doneAt.length === calls) finish();
      },
      nextDueAt: () => store.read(queueTransactions.nextDueAt, {}),
    },
    { clock: systemClock, log },
  );
  loop.start();

  const measure = async (round: number): Promise<Measured> => {
    const dueAt = Date.now() + SOON_MS;
    doneAt = [];
    const finished = new Promise<void>((resolve) => (finish = resolve));
    fill(database, { from: pending + round * calls, count: calls, dueAt });
    loop.wake();
    await sleep(dueAt - Date.now());
    const cpuBefore = cpuMicros();
    await finished;
    const cpu = cpuMicros() - cpuBefore;
    const latenessMs = doneAt.map((at) => at - dueAt);
    return { seconds: Math.max(...latenessMs) / 1_000, latenessMs, cpuMicros: cpu };
  };
  for (let round = 0; round < WARM_UPS; round += 1) await measure(round);
  const measured = await measure(WARM_UPS);
  await loop.stop();
  await store.close();
  database.close();
  return measured;
}

function fill(
  database: Database.Database,
  { from, count, dueAt }: { from: number; count: number; dueAt: number },
): void {
  database
    .prepare(
      `with recursive n(i) as (select ? union all select i + 1 from n where i < ?)
       insert into queue select printf('dial_%012d', i), 'pending', ? + i % 1000 * ?, null, null, 0 from n`,
    )
    // What is far away is spread over a second each; what is due is due at once.
    .run(from, from + count - 1, dueAt, from === 0 ? 1 : 0);
}
