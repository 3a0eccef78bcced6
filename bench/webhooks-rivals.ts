import { Pool } from 'undici';
import { envelopeOf } from '#events/envelope.js';
import { exampleData } from '#events/event-catalogue.js';
import { openBullMq } from './bullmq.js';
import { measured, type Sent, type Sizes } from './webhooks-measure.js';
import type { Endpoint } from './webhooks-receiver.js';

const CONNECTIONS = 100;

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

/** The same with BullMQ: from jobs in Redis (append-only file, flushed every second) to jobs that are marked done. */
export async function postByBullMq(folder: string, endpoint: Endpoint, { events }: Sizes): Promise<Sent> {
  const { Queue, Worker, connection, close } = await openBullMq(folder);
  const poster = openPoster(endpoint);
  const queue = new Queue('deliveries', { connection });
  const opts = { attempts: 4, backoff: { type: 'exponential', delay: 60_000 } };
  const jobs = Array.from({ length: events }, () => ({ name: 'delivery', data: { body: BODY }, opts }));
  for (let done = 0; done < events; done += 1_000) await queue.addBulk(jobs.slice(done, done + 1_000));
  let left = events;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const options = { connection, concurrency: CONNECTIONS, autorun: false };
  const worker = new Worker('deliveries', () => poster.post(), options);
  worker.on('completed', () => (left -= 1) === 0 && finish());
  const sent = await measured(async () => {
    void worker.run();
    await finished;
  });
  await worker.close();
  await queue.close();
  await poster.close();
  await close();
  return sent;
}
