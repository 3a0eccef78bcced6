import pg from 'pg';
import { IN_A_MONTH_MS } from './dialling-measure.js';

/** The rows of the service that the benchmark writes and looks at, over a connection of its own. */
export async function openCallRows(databaseUrl: string) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  // It would fall into a measurement that begins a minute after the server, and not into a shorter one.
  await client.query('alter system set autovacuum = off');
  await client.query('select pg_reload_conf()');
  const count = async (sql: string): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(sql);
    return Number(rows[0]!.count);
  };
  /** As autovacuum would, between the measurements. */
  const vacuum = async (): Promise<void> => void (await client.query('vacuum analyze'));
  let made = 0;
  return {
    /** Attempts that wait for next month. They all belong to one call, which nothing looks at before. */
    async park(pending: number): Promise<void> {
      await client.query(
        `insert into dial_attempts (id, call_id, attempt, status, due_at, expires_at, look_ups, updated_at)
         select 'dial_parked' || lpad(i::text, 12, '0'), (select id from calls limit 1), i, 'pending',
           $2::bigint + i, $3::bigint + i, 0, 0
         from generate_series(2, $1::int + 1) as numbers (i)`,
        [pending, Date.now() + IN_A_MONTH_MS, Date.now() + 2 * IN_A_MONTH_MS],
      );
      // They belong to one call only here: the planner must not take it for the usual.
      await client.query('alter table dial_attempts alter column call_id set (n_distinct = -1)');
      await vacuum();
    },
    vacuum,
    /** Writes calls like the first one, to be dialled at these times. Returns the time of each by its reference. */
    async enqueue(times: readonly number[]): Promise<Map<string, number>> {
      const from = made + 1;
      made += times.length;
      await client.query('begin');
      await client.query(
        `insert into calls select made.*
         from (select to_jsonb(calls) as pattern from calls where id not like 'call_bench%' limit 1) as first,
           unnest($1::bigint[]) with ordinality as times (at, i),
           jsonb_populate_record(null::calls, pattern || jsonb_build_object(
             'id', 'call_bench' || lpad(($2::int + i - 1)::text, 12, '0'),
             'to_phone', '+1415' || (5000000 + $2::int + i - 1),
             'scheduled_at', at, 'created_at', $3::bigint)) as made`,
        [times, from, Date.now()],
      );
      const { rows } = await client.query<{ id: string }>(
        `insert into dial_attempts (id, call_id, attempt, status, due_at, expires_at, look_ups, updated_at)
         select 'dial_bench' || number, 'call_bench' || number, 1, 'pending', at, at + 300000, 0, 0
         from unnest($1::bigint[]) with ordinality as times (at, i),
           lpad(($2::int + i - 1)::text, 12, '0') as number
         order by i returning id`,
        [times, from],
      );
      await client.query('commit');
      return new Map(rows.map(({ id }, i) => [id, times[i]!]));
    },
    countOpen: () => count(`select count(*) from calls where ended_at is null and id like 'call_bench%'`),
    countJobs: () => count(`select count(*) from jobs where status in ('pending', 'running')`),
    close: () => client.end(),
  };
}
