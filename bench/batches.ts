// What accepting a batch of 10,000 numbers costs everybody else: `POST /batch/schedule-call` of the whole built house,
// durable (SQLite, synchronous=FULL), with small rows and with rows that fill the 10 MB. Meanwhile 20 ms timers run on the
// server's main thread, where live audio would be, and another client keeps asking for single calls, which wait for the
// same database. Both are shown beside the same process without load. Client and server are processes of their own.
//
//     npm run bench:batches -- [rounds=5]
//
// Batches are for next month, so that accepting is all that happens; each is deleted after its round.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildApp } from '../src/app.js';
import { readConfig } from '../src/config.js';
import { watchLateness, type Lateness } from './api-lateness.js';

const NUMBERS = 10_000;
const GOAL_LATE_MS = 20;
const IDLE_MS = 2_000;
/** Small rows: a number and a name. Large ones: as much customer data as fits into the body. */
const DATA_CHARACTERS = { small: 0, large: 930 };
const IN_A_MONTH = () => new Date(Date.now() + 30 * 86_400_000).toISOString();

process.on('disconnect', () => process.exit());
const [role = '5'] = process.argv.slice(2);
if (role === 'house') await serve();
else await measure(Number(role));

interface Door {
  origin: string;
  apiKey: string;
}

/** The whole house as `npm start` opens it; each message is answered with how late timers were since the last. */
async function serve(): Promise<void> {
  const folder = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), 'batches-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const app = await buildApp(
    readConfig({ PORT: '0', DEMO: 'off', DATA_DIR: folder, RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'ERROR' }),
  );
  const { port } = await app.listen();
  const door: Door = { origin: `http://127.0.0.1:${port}`, apiKey: app.firstKey! };
  const lateness = watchLateness();
  process.on('message', () => process.send!(lateness()));
  process.send!(door);
}

async function measure(rounds: number): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), ['house'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [door] = (await once(server, 'message')) as [Door];
  const lateness = async () => {
    server.send('ask');
    const [late] = (await once(server, 'message')) as [Lateness];
    return sorted(late.lateMs);
  };
  print(`${NUMBERS} numbers, ${rounds} rounds, ${process.version}`);
  print('rows    body MB   answered ms   timer late p99 / max ms   single call p99 / max ms');
  await round(door, body('small'));
  const worst: number[] = [];
  for (const size of ['small', 'large'] as const) {
    const text = body(size);
    for (let i = 0; i < rounds; i++) {
      await lateness();
      const singles = askForSingles(door);
      await sleep(IDLE_MS);
      const [idleLate, idleCalls] = [await lateness(), singles.since()];
      const answeredMs = await round(door, text);
      const [late, calls] = [await lateness(), singles.since()];
      await singles.stop();
      worst.push(quantile(late, 0.99));
      print(
        `${size.padEnd(8)}${(text.length / 1e6).toFixed(1).padStart(5)}${answeredMs.toFixed(0).padStart(14)}` +
          `${pair(late).padStart(18)}  (idle ${pair(idleLate)})${pair(calls).padStart(16)}  (idle ${pair(idleCalls)})`,
      );
    }
  }
  const median = sorted(worst)[Math.floor(worst.length / 2)]!;
  print(`timer late p99, median of all rounds: ${median.toFixed(1)} ms, goal < ${GOAL_LATE_MS} ms`);
  server.disconnect();
}

/** Makes a batch; returns how long the answer took. The batch is gone afterwards. */
async function round(door: Door, text: string): Promise<number> {
  const startedMs = performance.now();
  const { id } = (await ask(door, 'POST', '/batch/schedule-call', text)) as { id: string };
  const answeredMs = performance.now() - startedMs;
  await ask(door, 'DELETE', `/batch/scheduled-calls/${id}`);
  return answeredMs;
}

/** Keeps asking for single calls, one after the other. */
function askForSingles(door: Door) {
  const call = JSON.stringify({ to_number: '+14155550100', scheduled_time: IN_A_MONTH() });
  let isOver = false;
  const tookMs: number[] = [];
  const run = (async () => {
    while (!isOver) {
      const startedMs = performance.now();
      await ask(door, 'POST', '/outbound-call', call);
      tookMs.push(performance.now() - startedMs);
    }
  })();
  return {
    since: () => sorted(tookMs.splice(0)),
    stop: () => {
      isOver = true;
      return run;
    },
  };
}

async function ask({ origin, apiKey }: Door, method: string, path: string, body?: string): Promise<unknown> {
  const headers = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(origin + path, { method, headers, ...(body && { body }) });
  const answer = await response.json();
  if (!response.ok)
    throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer).slice(0, 500)}`);
  return answer;
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
  return `${quantile(values, 0.99).toFixed(1)} / ${(values.at(-1) ?? 0).toFixed(1)}`;
}

function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0;
}

function sorted(values: number[]): number[] {
  return values.toSorted((a, b) => a - b);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
