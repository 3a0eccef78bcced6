import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { BatchRig } from '#test/support/batch-rig.js';
import { once } from '#test/support/call-story.js';
import { openPostgres } from '#test/support/postgres.js';

const postgres = await openPostgres();
const [FIRST, LAST] = ['+14151000000', '+14151000001'] as const;
/** The advisory lock of a number. */
const LOCK = (number: string) => `hashtextextended('default ${number}', 0)`;

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

it.skipIf(postgres.isMissing)(
  'batches with the same numbers wait for one another in one order, whichever order they list them in',
  async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const rig = await BatchRig.open({ mode: 'enforce' }, { databaseUrl });
    await rig.make([LAST, FIRST]);
    const other = await connect(databaseUrl);
    await other.query(`select pg_advisory_lock(${LOCK(FIRST)})`);
    const feeding = rig.feedOnce();
    await once(async () => {
      const { rows } = await other.query(
        `select 1 from pg_locks where locktype = 'advisory' and not granted`,
      );
      expect(rows).toHaveLength(1);
    });
    const { rows } = await other.query(`select pg_try_advisory_lock(${LOCK(LAST)}) as is_free`);
    await other.query('select pg_advisory_unlock_all()');
    await feeding;
    expect(rows).toEqual([{ is_free: true }]);
    expect(await rig.queued()).toMatchObject([{ to: LAST }, { to: FIRST }]);
  },
);
