import pg from 'pg';
import { expect, onTestFinished, describe, it } from 'vitest';
import { once } from '#test/support/call-story.js';
import { syncTransactions } from '#batches/dispatch/sync-calls.js';
import { localTimeTransactions } from '#batches/local-times.js';
import { batchChangeTransactions } from '#batches/scheduled-calls/batch-changes.js';
import { callTransactions } from '#calls/call-store.js';
import { toInstant } from '#kernel/time/clock.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { openPostgres } from '#test/support/postgres.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { openSingleCallFixture } from '#test/support/single-call-fixture.js';

/** Another process on the same PostgreSQL, in the middle of a transaction. */
class Rival {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Begins a transaction, for the present test. */
  static async begin(databaseUrl: string): Promise<Rival> {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    return new Rival(client);
  }

  /** Makes a change that is invisible before {@link commit}, and blocks conflicting writers. */
  async does(sql: string, ...values: unknown[]): Promise<void> {
    const { rowCount } = await this.#client.query(sql, values);
    expect(rowCount).toBeGreaterThan(0);
  }

  /** Resolves when another transaction waits for this one. */
  async isWaitedFor(): Promise<void> {
    await once(async () => {
      const { rows } = await this.#client.query('select 1 from pg_locks where not granted');
      if (rows.length === 0) throw new Error('nobody waits');
    });
  }

  async commit(): Promise<void> {
    await this.#client.query('commit');
  }
}

const HOUR_MS = 3_600_000;
const NINE_IN_BERLIN = Date.parse('2026-12-01T08:00:00Z');

const postgres = await openPostgres();

describe.skipIf(postgres.isMissing)('processes that change a call at the same moment', () => {
  it('leave one that is dialled just now with the caller id that it is dialled from', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const rig = await BatchRig.open({}, { databaseUrl });
    const at = rig.clock.wallMs();
    const { id, call_ids: ids } = await rig.make(2, { scheduled_time: toInstant(at + HOUR_MS) });
    const change = { from: '+14155550177' };
    await rig.store.write(batchChangeTransactions.change, { workspace: PRINCIPAL.workspace, id, change, at });

    const rival = await Rival.begin(databaseUrl);
    await rival.does(`update calls set status = 'connecting', started_at = $2 where id = $1`, ids[0], at);
    const syncing = rig.store.write(syncTransactions.sync, { batchId: id, at, rules: rig.rules });
    await rival.isWaitedFor();
    await rival.commit();
    await syncing;

    const fromOf = async (callId: string) =>
      (await rig.store.read(callTransactions.get, { workspace: PRINCIPAL.workspace, id: callId })).from_phone;
    expect(await fromOf(ids[0]!)).not.toBe(change.from);
    expect(await fromOf(ids[1]!)).toBe(change.from);
  });

  it('leave one that is given another time just now at that time', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const { rig, store } = await openSingleCallFixture({ databaseUrl });
    const { id: callId } = await rig.create({
      scheduled_time: '2026-12-01 09:00:00',
      timezone: 'Europe/Berlin',
    });
    await store.write(lookTransactions.planEarlier, { byMs: HOUR_MS });
    const noon = NINE_IN_BERLIN + 3 * HOUR_MS;

    const rival = await Rival.begin(databaseUrl);
    await rival.does(
      'update calls set scheduled_time = $2, timezone = null, scheduled_at = $3 where id = $1',
      callId,
      toInstant(noon),
      noon,
    );
    await rival.does('update dial_attempts set due_at = $2, wanted_at = $2 where call_id = $1', callId, noon);
    const at = rig.clock.wallMs();
    const replanning = store.write(localTimeTransactions.replanCalls, { after: '', at, rules: rig.rules });
    await rival.isWaitedFor();
    await rival.commit();

    expect(await replanning).toMatchObject({ moved: 0 });
    expect((await store.read(lookTransactions.attempts, { callId }))[0]).toMatchObject({ due_at: noon });
  });
});
