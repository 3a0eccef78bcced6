import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { THING_MIGRATIONS, THING_UNITS } from '#test/contracts/store.js';
import { compiledModule } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { cases } from '#test/support/tier.js';

const KILLS = cases(2, 3, 12);
/** Bytes that the child writes to its ledger before it is killed. */
const LEDGER_BYTES = 12_000;

it(`loses no acknowledged write in ${KILLS} kills, and leaves no transaction half done`, async () => {
  const folder = temporaryFolder();
  const paths = { database: join(folder, 'store.db'), ledger: join(folder, 'acknowledged.txt') };
  for (let run = 0; run < KILLS; run += 1) {
    await workUntilKilled(paths, run);
    expect(damage(paths)).toEqual({ lost: [], halves: [], failed: [], integrity: 'ok' });
  }
});

async function workUntilKilled(paths: { database: string; ledger: string }, run: number): Promise<void> {
  const program = await compiledModule(new URL('./store-kill-child.ts', import.meta.url));
  const transactions = await compiledModule(THING_UNITS);
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(program),
      paths.database,
      paths.ledger,
      `run${run}`,
      transactions.href,
      THING_MIGRATIONS.href,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const noted = () => (existsSync(paths.ledger) ? statSync(paths.ledger).size : 0);
  const enough = noted() + LEDGER_BYTES + run * 777;
  await expect.poll(noted, { interval: 5 }).toBeGreaterThan(enough);
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
}

/** Acknowledged writes that are missing, and unfinished ones that are not. */
function damage(paths: { database: string; ledger: string }) {
  const acknowledged = readFileSync(paths.ledger, 'utf8').split('\n').slice(0, -1);
  const database = new Database(paths.database);
  try {
    const kept = new Set(database.prepare<[], string>('select id from things').pluck().all());
    return {
      lost: acknowledged.filter((id) => !kept.has(`left-${id}`) || !kept.has(`right-${id}`)),
      halves: [...kept].filter((id) => id.startsWith('left-') && !kept.has(id.replace('left-', 'right-'))),
      failed: [...kept].filter((id) => id.startsWith('failed-')),
      integrity: database.pragma('integrity_check', { simple: true }),
    };
  } finally {
    database.close();
  }
}
