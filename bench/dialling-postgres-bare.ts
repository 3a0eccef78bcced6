import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  cpuMicros,
  IN_A_MONTH_MS,
  SOON_MS,
  WARM_UPS,
  type Measured,
  type Sizes,
} from './dialling-measure.js';
import { openServer } from './postgres.js';

/** As many calls in one statement as the dialler has in hand. */
const AT_ONCE = 256;
/** While one of them waits for the disk, the other one goes on. */
const LOOPS = 2;

/** The tables of the service, as far as a dialled call writes to them, with the indexes that such a row is in. */
const SCHEMA = `
create table calls (
  id text primary key, workspace text not null, status text not null, agent_id text not null,
  to_phone text not null, provider text not null, provider_call_id text, facts text not null, node_id text,
  started_at bigint, answered_at bigint, ended_at bigint, ended_reason text, summary text, analysis text,
  event_sequence integer not null, created_at bigint not null, updated_at bigint not null
);
create index calls_newest on calls (workspace, created_at, id);
create index calls_by_agent on calls (agent_id, created_at, id);
create index calls_by_callee on calls (workspace, to_phone, created_at);
create index calls_live on calls (node_id) where ended_at is null;
create index calls_open on calls (workspace, created_at, id) where ended_at is null;
create unique index calls_by_provider on calls (provider, provider_call_id) where provider_call_id is not null;
create table dial_attempts (
  id text primary key, call_id text not null references calls (id), attempt integer not null, status text not null,
  due_at bigint not null, node_id text, lease_until bigint, updated_at bigint not null, unique (call_id, attempt)
);
create index dial_attempts_due on dial_attempts (due_at, id) where status = 'pending';
create index dial_attempts_leased on dial_attempts (lease_until)
  where status in ('claimed', 'dialling', 'uncertain');
create index dial_attempts_ended on dial_attempts (updated_at) where status = 'ended';
create table call_events (
  call_id text not null references calls (id), sequence integer not null, type text not null, from_status text,
  to_status text, at bigint not null, data text not null, primary key (call_id, sequence)
);
create table events (
  id text primary key, workspace text not null, type text not null, subject_id text not null, body text not null,
  created_at bigint not null
);
create index events_by_subject on events (subject_id, created_at, id);
create index events_oldest on events (created_at);
create table number_decisions (
  workspace text not null, phone_number text not null, decided_at bigint not null, subject_id text not null,
  verdict text not null, primary key (workspace, phone_number, decided_at, subject_id)
);
create index number_decisions_oldest on number_decisions (decided_at);`;

/** Texts as long as those of the service: the facts of a call, an analysis, and an event. */
const FACTS = 'x'.repeat(500);
const ANALYSIS = 'x'.repeat(200);
const EVENT = 'x'.repeat(900);

const CLAIM = `
update dial_attempts set status = 'claimed', node_id = 'node', lease_until = $1, updated_at = $1 where id in (
  select id from dial_attempts where status = 'pending' and due_at <= $1 order by due_at, id limit $2
  for update skip locked
) returning call_id`;

/** Each step of many calls in one statement, which is a transaction: `$1` are the calls, `$2` is the time. */
const STEPS = [
  `with attempts as (
     update dial_attempts set status = 'dialling', lease_until = $2, updated_at = $2
     where call_id = any($1) and status = 'claimed'
   ), moved as (
     update calls set status = 'connecting', node_id = 'node', started_at = $2, event_sequence = 2, updated_at = $2
     where id = any($1) and status = 'queued' returning id, to_phone
   ), decided as (
     insert into number_decisions select 'ws', to_phone, $2, id, 'dial' from moved
   ) ${told({ from: 1, states: 2, events: 1 })}`,
  `with attempts as (
     update dial_attempts set status = 'placed', updated_at = $2 where call_id = any($1) and status = 'dialling'
   )
   update calls set provider_call_id = 'CA' || id where id = any($1) and ended_reason is null and $2::bigint > 0`,
  `with moved as (
     update calls set status = 'connected', answered_at = $2, event_sequence = 3, updated_at = $2
     where id = any($1) and status = 'connecting'
   ) ${told({ from: 3, states: 1, events: 1 })}`,
  `with attempts as (
     update dial_attempts set status = 'ended', updated_at = $2 where call_id = any($1) and status = 'placed'
   ), moved as (
     update calls set status = 'completed', ended_at = $2, ended_reason = 'customer_hangup', summary = 'over',
       analysis = '${ANALYSIS}', event_sequence = 6, updated_at = $2
     where id = any($1) and status = 'connected'
   ) ${told({ from: 4, states: 3, events: 5 })}`,
];

/** The rest of a step: the states that each call has gone through, and the events that tell of it. */
function told({ from, states, events }: { from: number; states: number; events: number }): string {
  return `, history as (
     insert into call_events select id, n, 'state_changed', 'connecting', 'connected', $2, '{}'
     from unnest($1::text[]) as ids (id), generate_series(${from}, ${from + states - 1}) as numbers (n)
   )
   insert into events select id || '_${from}_' || n, 'ws', 'call.connected', id, '${EVENT}', $2
   from unnest($1::text[]) as ids (id), generate_series(1, ${events}) as numbers (n)`;
}

/**
 * The floor: the rows that the service writes for a dialled call, by hand, each step of up to 256 calls in one
 * statement and one commit. No call is looked at, no policy is asked, and the carrier answers at once and for nothing.
 */
export async function drainByHand(folder: string, { calls, pending }: Sizes): Promise<Measured> {
  const server = await openServer(folder);
  const pool = new pg.Pool({ connectionString: server.databaseUrl, max: LOOPS });
  // Idle connections are still on their way out when the server goes.
  pool.on('error', () => {});
  await pool.query(SCHEMA);
  let made = 0;
  const fill = async (count: number, dueAt: number) => {
    const from = made;
    made += count;
    await pool.query(FILL_CALLS, [from, from + count - 1, Date.now()]);
    await pool.query(FILL_ATTEMPTS, [from, from + count - 1, dueAt]);
  };
  await fill(pending, Date.now() + IN_A_MONTH_MS);
  await pool.query('vacuum analyze');

  const measure = async (): Promise<Measured> => {
    const dueAt = Date.now() + SOON_MS;
    await fill(calls, dueAt);
    await sleep(dueAt - Date.now());
    const [cpuBefore, serverBefore] = [cpuMicros(), server.cpuMicros()];
    const latenessMs: number[] = [];
    await Promise.all(Array.from({ length: LOOPS }, () => drain(pool, dueAt, latenessMs)));
    const seconds = (Date.now() - dueAt) / 1_000;
    const over = {
      seconds,
      cpuMicros: cpuMicros() - cpuBefore,
      serverMicros: server.cpuMicros() - serverBefore,
    };
    return { seconds: Math.max(...latenessMs) / 1_000, latenessMs, cpuMicros: over.cpuMicros, over };
  };
  for (let round = 0; round < WARM_UPS; round += 1) await measure();
  const measured = await measure();
  await pool.end();
  await server.remove();
  return measured;
}

/** Claims calls and takes them to their end, until none is due. */
async function drain(pool: pg.Pool, dueAt: number, latenessMs: number[]): Promise<void> {
  for (;;) {
    const claimed = await pool.query<{ call_id: string }>({
      name: 'claim',
      text: CLAIM,
      values: [Date.now(), AT_ONCE],
    });
    const ids = claimed.rows.map((row) => row.call_id);
    if (ids.length === 0) return;
    for (const [step, text] of STEPS.entries()) {
      await pool.query({ name: `step ${step}`, text, values: [ids, Date.now()] });
      if (step === 0) latenessMs.push(...ids.map(() => Date.now() - dueAt));
    }
  }
}

const FILL_CALLS = `
insert into calls (id, workspace, status, agent_id, to_phone, provider, facts, event_sequence, created_at, updated_at)
select 'call_' || lpad(i::text, 12, '0'), 'ws', 'queued', 'agent', '+1415' || (5000000 + i), 'sandbox', '${FACTS}', 1,
  $3::bigint, $3::bigint
from generate_series($1::int, $2::int) as numbers (i)`;

const FILL_ATTEMPTS = `
insert into dial_attempts (id, call_id, attempt, status, due_at, updated_at)
select 'dial_' || lpad(i::text, 12, '0'), 'call_' || lpad(i::text, 12, '0'), 1, 'pending', $3::bigint, 0
from generate_series($1::int, $2::int) as numbers (i)`;
