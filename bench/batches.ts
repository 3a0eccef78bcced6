// What accepting a batch of 10,000 numbers costs all others: `POST /batch/schedule-call` of the whole built service,
// durable (SQLite, synchronous=FULL), with small rows and with rows that fill the 10 MB. Meanwhile 20 ms timers run on
// the server's main thread, where live audio would be, and another client keeps asking for single calls, which wait for
// the same database. Both are shown beside the same process without load. Client and server are processes of their own.
//
//     npm run bench:batches -- [rounds=5]
//
// Batches are for next month, so that accepting is all that happens; each is deleted after its round.
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '#app/app.js';
import { readConfig } from '#config/read-config.js';
import { goal, median, print, quantile } from './figures.js';
import { ask, type Endpoint } from './service-request.js';
import { watchLateness, type Lateness } from './lateness.js';
import { answerOf, dataFolder, startServer } from './processes.js';

const NUMBERS = 10_000;
const GOAL_LATE_MS = 20;
const IDLE_MS = 2_000;
/** Small rows: a number and a name. Large ones: as much customer data as fits into the body. */
const DATA_CHARACTERS = { small: 0, large: 930 };
const IN_A_MONTH = () => new Date(Date.now() + 30 * 86_400_000).toISOString();

process.on('disconnect', () => process.exit());
const [role = '5'] = process.argv.slice(2);
if (role === 'service') await serve();
else await measure(Number(role));

/** The whole service as `npm start` opens it; each message is answered with how late timers were since the last. */
async function serve(): Promise<void> {
  const app = await buildApp(
    readConfig({
      PORT: '0',
      DEMO: 'off',
      LOG_LEVEL: 'ERROR',
      DATA_DIR: dataFolder(),
      RATE_LIMIT_PER_MINUTE: '0',
    }),
  );
  const { port, firstKey } = await app.listen();
  const endpoint: Endpoint = { origin: `http://127.0.0.1:${port}`, apiKey: firstKey! };
  const lateness = watchLateness();
  process.on('message', () => process.send!(lateness()));
  process.send!(endpoint);
}

async function measure(rounds: number): Promise<void> {
  const server = startServer('service');
  const endpoint = await answerOf<Endpoint>(server);
  const lateness = async () => {
    server.send('ask');
    return (await answerOf<Lateness>(server)).lateMs;
  };
  print(`${NUMBERS} numbers, ${rounds} rounds, ${process.version}`);
  print('rows    body MB   answered ms   timer late p99 / max ms   single call p99 / max ms');
  await round(endpoint, body('small'));
  const worst: number[] = [];
  for (const size of ['small', 'large'] as const) {
    const text = body(size);
    for (let i = 0; i < rounds; i++) {
      await lateness();
      const singles = askForSingles(endpoint);
      await sleep(IDLE_MS);
      const [idleLate, idleCalls] = [await lateness(), singles.since()];
      const answeredMs = await round(endpoint, text);
      const [late, calls] = [await lateness(), singles.since()];
      await singles.stop();
      worst.push(quantile(late, 0.99));
      print(
        `${size.padEnd(8)}${(text.length / 1e6).toFixed(1).padStart(5)}${answeredMs.toFixed(0).padStart(14)}` +
          `${pair(late).padStart(18)}  (idle ${pair(idleLate)})${pair(calls).padStart(16)}  (idle ${pair(idleCalls)})`,
      );
    }
  }
  const lateMs = median(worst);
  print(
    `timer late p99, median of all rounds: ${lateMs.toFixed(1)} ms (${goal(lateMs, '<', GOAL_LATE_MS, ' ms')})`,
  );
  server.disconnect();
}

/** Makes a batch; returns how long the answer took. The batch is gone afterwards. */
async function round(endpoint: Endpoint, text: string): Promise<number> {
  const startedMs = performance.now();
  const { id } = (await ask(endpoint, 'POST', '/batch/schedule-call', text)) as { id: string };
  const answeredMs = performance.now() - startedMs;
  await ask(endpoint, 'DELETE', `/batch/scheduled-calls/${id}`);
  return answeredMs;
}

/** Keeps asking for single calls, one after the other. */
function askForSingles(endpoint: Endpoint) {
  const call = JSON.stringify({ to_number: '+14155550100', scheduled_time: IN_A_MONTH() });
  let isOver = false;
  const tookMs: number[] = [];
  const run = (async () => {
    while (!isOver) {
      const startedMs = performance.now();
      await ask(endpoint, 'POST', '/outbound-call', call);
      tookMs.push(performance.now() - startedMs);
    }
  })();
  return {
    since: () => tookMs.splice(0),
    stop: () => {
      isOver = true;
      return run;
    },
  };
}

function body(size: keyof typeof DATA_CHARACTERS): string {
  const note = 'x'.repeat(DATA_CHARACTERS[size]);
  const to_number = Array.from({ length: NUMBERS }, (_, i) => ({
    phone_number: `+1415${1_000_000 + i}`,
    name: `Callee ${i}`,
    ...(note && { customer_data: { note } }),
  }));
  return JSON.stringify({ to_number, scheduled_time: IN_A_MONTH(), name: 'Benchmark' });
}

function pair(values: readonly number[]): string {
  return `${quantile(values, 0.99).toFixed(1)} / ${quantile(values, 1).toFixed(1)}`;
}
