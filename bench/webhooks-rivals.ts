import { Pool } from 'undici';
import { envelopeOf } from '#events/envelope.js';
import { exampleData } from '#events/event-catalogue.js';
import { openBullMq } from './bullmq.js';
import { openPostgres } from './postgres.js';
import { measured, type Sent, type Sizes } from './webhooks-measure.js';
import type { Endpoint } from './webhooks-receiver.js';

const CONNECTIONS = 100;
const AT_ONCE = 1_000;

/** What the service sends, to the byte; its signatures are not made again and again. */
const BODY = envelopeOf({
  id: 'evt_01kakb8x6te1tr7m3qf0c9w2aq',
  type: 'call.completed',
  at: Date.UTC(2026, 10, 21),
  data: { ...exampleData('call.completed'), happened_at: Date.UTC(2026, 10, 21) },
});
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Callwright/1.0',
  'accept-encoding': 'identity',
  'x-service-event': 'call.completed',
  'x-service-delivery': 'dlv_01kakb8x6te1tr7m3qf0c9w2ap',
  'x-service-webhook': 'wh_01kakb8x6te1tr7m3qf0c9w2an',
  'x-service-timestamp': '1805009400',
  'x-service-signature': 'f'.repeat(64),
  'webhook-id': 'evt_01kakb8x6te1tr7m3qf0c9w2aq',
  'webhook-timestamp': '1805009400',
  'webhook-signature': `v1,${'A'.repeat(43)}=`,
};

function openPoster(endpoint: Endpoint) {
  const { origin, pathname: path } = new URL(endpoint.url);
  const pool = new Pool(origin, { connections: CONNECTIONS, connect: { ca: endpoint.certificate } });
  return {
    async post(): Promise<void> {
      const { statusCode, body } = await pool.request({ path, method: 'POST', headers: HEADERS, body: BODY });
      await body.dump();
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
    },
    close: () => pool.close(),
  };
}

/** The ceiling: as many requests at once as the service sends, out of thin air and into it. */
export async function postBare(endpoint: Endpoint, { events }: Sizes): Promise<Sent> {
  const poster = openPoster(endpoint);
  let left = events;
  const work = async () => {
    while (left-- > 0) await poster.post();
  };
  const sent = await measured(async () => {
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
  });
  await poster.close();
  return sent;
}

/** The log that customers are shown, and that says after a crash what was delivered. */
const SCHEMA = `
create table deliveries (
  id text primary key,
  event_type text not null,
  status text not null,
  attempts int not null default 0,
  updated_at timestamptz not null default now()
);
create table delivery_attempts (
  id bigint generated always as identity primary key,
  delivery_id text not null references deliveries (id),
  status_code int not null,
  response_ms int not null,
  at timestamptz not null default now()
);`;

/**
 * What is built of BullMQ for the guarantee of the service: from jobs in a Redis that flushes each write to jobs that
 * are marked done there, each attempt in a log of PostgreSQL before that.
 */
export async function postByBullMq(folder: string, endpoint: Endpoint, { events }: Sizes): Promise<Sent> {
  const postgres = await openPostgres(folder, SCHEMA);
  const { Queue, Worker, connection, close } = await openBullMq(folder);
  const poster = openPoster(endpoint);
  const queue = new Queue('deliveries', { connection });
  const opts = { attempts: 4, backoff: { type: 'exponential', delay: 60_000 } };
  for (let done = 0; done < events; done += AT_ONCE) {
    const ids = Array.from({ length: Math.min(AT_ONCE, events - done) }, (_, index) => `dlv_${done + index}`);
    await postgres.pool.query(
      `insert into deliveries (id, event_type, status)
       select id, 'call.completed', 'pending' from unnest($1::text[]) as ids (id)`,
      [ids],
    );
    await queue.addBulk(ids.map((id) => ({ name: 'delivery', data: { id, body: BODY }, opts })));
  }
  let left = events;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const options = { connection, concurrency: CONNECTIONS, autorun: false };
  const worker = new Worker(
    'deliveries',
    async ({ data: { id } }) => {
      const startedMs = performance.now();
      await poster.post();
      await logAttempt(postgres, id, performance.now() - startedMs);
    },
    options,
  );
  worker.on('completed', () => (left -= 1) === 0 && finish());
  const sent = await measured(async () => {
    void worker.run();
    await finished;
  });
  await worker.close();
  await queue.close();
  await poster.close();
  await close();
  await postgres.close();
  return sent;
}

function logAttempt(
  { transaction }: Awaited<ReturnType<typeof openPostgres>>,
  id: string,
  responseMs: number,
): Promise<void> {
  return transaction(async (run) => {
    await run(
      `insert into delivery_attempts (delivery_id, status_code, response_ms) values ($1, 200, $2)`,
      id,
      Math.round(responseMs),
    );
    await run(
      `update deliveries set status = 'delivered', attempts = attempts + 1, updated_at = now() where id = $1`,
      id,
    );
  });
}
