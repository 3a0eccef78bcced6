import { setTimeout as sleep } from 'node:timers/promises';
import { openBullMq } from './bullmq.js';
import {
  cpuMicros,
  IN_A_MONTH_MS,
  SOON_MS,
  WARM_UPS,
  type Measured,
  type Sizes,
} from './dialling-measure.js';
import { openPostgres } from './postgres.js';
import { familyMicros } from './postgres-usage.js';

const CONCURRENCY = 256;
const AT_ONCE = 1_000;

/** What a dialler must know after a crash: who is to be called, what was tried, how far it came, who is to be told. */
const SCHEMA = `
create table calls (
  id text primary key,
  to_phone text not null,
  status text not null,
  due_at bigint not null,
  customer_data jsonb not null,
  updated_at timestamptz not null default now()
);
create table attempts (
  id text primary key,
  call_id text not null references calls (id),
  status text not null,
  carrier_call_id text,
  begun_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table events (
  id bigint generated always as identity primary key,
  call_id text not null references calls (id),
  type text not null,
  data jsonb not null,
  at timestamptz not null default now(),
  published_at timestamptz
);
create index events_unpublished on events (id) where published_at is null;`;

/**
 * What is built of BullMQ and PostgreSQL for the guarantee of the service, that no phone rings twice and none is
 * forgotten: delayed jobs in a Redis that flushes each write; the call and its event stand before its job does, the
 * attempt before the carrier is asked, and the carrier's answer before the job is done. The carrier answers at once.
 */
export async function drainBullMq(folder: string, { calls, pending }: Sizes): Promise<Measured> {
  const postgres = await openPostgres(folder, SCHEMA);
  const { Queue, Worker, connection, redisId, close } = await openBullMq(folder);
  const queue = new Queue('calls', { connection });
  let accepted = 0;
  const accept = async (count: number, delayOf: (index: number) => number) => {
    for (let done = 0; done < count; done += AT_ONCE) {
      const ids = Array.from(
        { length: Math.min(AT_ONCE, count - done) },
        () => `call_${String((accepted += 1)).padStart(12, '0')}`,
      );
      await recordIntents(postgres, ids);
      await queue.addBulk(
        ids.map((id, index) => ({
          name: 'call',
          data: { id },
          opts: { jobId: id, delay: delayOf(done + index) },
        })),
      );
    }
  };
  await accept(pending, (index) => IN_A_MONTH_MS + index);

  let dialledAt: number[] = [];
  let left = 0;
  let finish = () => {};
  const options = { connection, concurrency: CONCURRENCY, autorun: false };
  const worker = new Worker(
    'calls',
    async ({ data: { id } }) => {
      await recordAttempt(postgres, id);
      dialledAt.push(Date.now());
      await recordAnswer(postgres, id);
    },
    options,
  );
  worker.on('completed', () => (left -= 1) === 0 && finish());
  void worker.run();

  const measure = async (): Promise<Measured> => {
    const dueAt = Date.now() + SOON_MS + calls / 2;
    dialledAt = [];
    left = calls;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    await accept(calls, () => dueAt - Date.now());
    if (Date.now() > dueAt) throw new Error('the jobs were due before all were written');
    await sleep(dueAt - Date.now());
    const ofServers = () => postgres.cpuMicros() + familyMicros(redisId);
    const [cpuBefore, serversBefore] = [cpuMicros(), ofServers()];
    await finished;
    const over = {
      seconds: (Date.now() - dueAt) / 1_000,
      cpuMicros: cpuMicros() - cpuBefore,
      serverMicros: ofServers() - serversBefore,
    };
    const latenessMs = dialledAt.map((at) => at - dueAt);
    return { seconds: Math.max(...latenessMs) / 1_000, latenessMs, cpuMicros: over.cpuMicros, over };
  };
  for (let round = 0; round < WARM_UPS; round += 1) await measure();
  const measured = await measure();
  await worker.close();
  await queue.close();
  await close();
  await postgres.close();
  return measured;
}

type Postgres = Awaited<ReturnType<typeof openPostgres>>;

/** That calls are to be made, before anything else knows of them. */
function recordIntents({ transaction }: Postgres, ids: readonly string[]): Promise<void> {
  return transaction(async (run) => {
    await run(
      `insert into calls (id, to_phone, status, due_at, customer_data)
       select id, '+14155550123', 'scheduled', 0, '{"name": "Ada Lovelace", "plan": "gold"}'
       from unnest($1::text[]) as ids (id)`,
      ids,
    );
    await run(
      `insert into events (call_id, type, data)
       select id, 'call.scheduled', '{}' from unnest($1::text[]) as ids (id)`,
      ids,
    );
  });
}

/** That the carrier is about to be asked: after a crash it is asked about this attempt instead of for another one. */
function recordAttempt({ transaction }: Postgres, id: string): Promise<void> {
  return transaction(async (run) => {
    await run(
      `update calls set status = 'dialling', updated_at = now() where id = $1 and status = 'scheduled'`,
      id,
    );
    await run(`insert into attempts (id, call_id, status) values ($1, $2, 'placing')`, `dial_${id}`, id);
    await run(`insert into events (call_id, type, data) values ($1, 'call.dialling', $2)`, id, {
      attempt: 1,
    });
  });
}

/** What the carrier made of it. */
function recordAnswer({ transaction }: Postgres, id: string): Promise<void> {
  return transaction(async (run) => {
    await run(
      `update attempts set status = 'placed', carrier_call_id = $2, updated_at = now() where id = $1`,
      `dial_${id}`,
      `CA${id}`,
    );
    await run(`update calls set status = 'ringing', updated_at = now() where id = $1`, id);
    await run(`insert into events (call_id, type, data) values ($1, 'call.ringing', $2)`, id, { attempt: 1 });
  });
}
