// What telling the customer costs: deliveries from durable outbox rows to durable log rows (SQLite, synchronous=FULL),
// to ten webhooks on a local HTTPS receiver, against what is built of BullMQ, undici and a log in PostgreSQL for the
// same guarantee, where a Redis is installed; and beside a bare undici pool that posts as many of the same bytes. Then
// how long an event takes to arrive, of 100 a second.
//
//     npm run bench:webhooks -- [deliveries=20000] [rounds=3] [seconds=20]
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { missingForBullMq } from './bullmq.js';
import { goal, median, print, quantile, ratioOf } from './figures.js';
import { answerOf, dataFolder, resultOf, startMeasured } from './processes.js';
import { openService } from './webhooks-service.js';
import { measured, type Sent, type Sizes } from './webhooks-measure.js';
import { receive, type Arrived, type Await, type Endpoint } from './webhooks-receiver.js';
import { postBare, postByBullMq } from './webhooks-rivals.js';

const WEBHOOKS = 10;
const GOAL_OF_RIVAL = 1.5;
const EVENTS_PER_SECOND = 100;
const GOAL_ARRIVAL_MS = 100;

/** What a sending process is told. */
interface Order extends Sizes {
  how: 'bare' | 'service' | 'bullmq' | 'steady';
  endpoint: Endpoint;
}

process.on('disconnect', () => process.exit());
const [first = '20000', second = '3', third = '20'] = process.argv.slice(2);
if (first === 'receiver') await receive();
else if (first === 'sender') await obey(JSON.parse(second) as Order);
else await compare({ events: Number(first) }, Number(second), Number(third));

async function compare(sizes: Sizes, rounds: number, seconds: number): Promise<void> {
  const receiver = startMeasured('receiver');
  const endpoint = await answerOf<Endpoint>(receiver);
  const missing = await missingForBullMq();
  print(`${sizes.events} deliveries a round, ${WEBHOOKS} webhooks, ${rounds} rounds, ${process.version}`);
  const ratios: { bare: number[]; rival: number[] } = { bare: [], rival: [] };
  for (let round = 1; round <= rounds; round++) {
    const bare = await send(receiver, { how: 'bare', endpoint, ...sizes });
    const service = await send(receiver, { how: 'service', endpoint, ...sizes });
    ratios.bare.push(bare.seconds / service.seconds);
    const line = [`round ${round}: bare ${rateOf(bare, sizes)}`, `service ${rateOf(service, sizes)}`];
    if (missing === null) {
      const rival = await send(receiver, { how: 'bullmq', endpoint, ...sizes });
      ratios.rival.push(rival.seconds / service.seconds);
      line.push(`rival ${rateOf(rival, sizes)}`);
    }
    print(line.join(';  '));
  }
  print(`service : bare pool  ${median(ratios.bare).toFixed(2)} (median; for information)`);
  if (missing === null) print(`service : BullMQ and PostgreSQL  ${ratioOf(ratios.rival, GOAL_OF_RIVAL)}`);
  else print(`not compared with BullMQ and PostgreSQL: ${missing}`);

  const events = seconds * EVENTS_PER_SECOND;
  const { latenessMs } = await send(receiver, { how: 'steady', endpoint, events }, true);
  const lateMs = quantile(latenessMs, 0.99);
  print(
    `${EVENTS_PER_SECOND} events/s, from event to arrival: p50 ${median(latenessMs)} ms, ` +
      `p99 ${lateMs} ms; ${goal(lateMs, '<', GOAL_ARRIVAL_MS, ' ms')}`,
  );
  receiver.disconnect();
}

/** Lets a process of its own send, and waits until all has come. */
async function send(receiver: ChildProcess, order: Order, isTimed = false): Promise<Sent & Arrived> {
  const awaited: Await = { count: order.events, isTimed };
  receiver.send(awaited);
  await once(receiver, 'message');
  const arriving = answerOf<Arrived>(receiver);
  const sent = await resultOf<Sent>(startMeasured('sender', JSON.stringify(order)));
  const arrived = await arriving;
  return { ...sent, ...arrived };
}

async function obey(order: Order): Promise<void> {
  process.send!(await sendings(dataFolder(), order)[order.how]());
}

function sendings(folder: string, { endpoint, events }: Order): Record<Order['how'], () => Promise<Sent>> {
  return {
    bare: () => postBare(endpoint, { events }),
    bullmq: () => postByBullMq(folder, endpoint, { events }),
    async service() {
      const service = await openService(folder, endpoint, WEBHOOKS);
      const sent = await service.deliver({ events });
      await service.close();
      return sent;
    },
    async steady() {
      const service = await openService(folder, endpoint, 1);
      const sent = await measured(() =>
        service.happen({ count: events, everyMs: 1_000 / EVENTS_PER_SECOND }),
      );
      await service.close();
      return sent;
    },
  };
}

function rateOf({ seconds, cpuSeconds }: Sent, { events }: Sizes): string {
  return `${Math.round(events / seconds)}/s (${((cpuSeconds / events) * 1e6).toFixed(0)} µs of processor each)`;
}
