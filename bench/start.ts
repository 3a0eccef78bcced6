// How long a person waits for the service: from the command to the first 200 of `/health`, with a database that is
// there and files that the disk has at hand; and in `npm run dev`, from a saved file to the first 200 of the service
// that was built of it.
//
//     npm run bench:start -- [rounds=7]
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { goal, median, print } from './figures.js';
import { dataFolder } from './processes.js';

const PORT = 18_731;
const LOOK_MS = 5;
const GOAL_START_MS = 1_500;
const GOAL_CHANGE_MS = 1_000;
/** Until a service that was started again is quiet. */
const QUIET_MS = 3_000;
/** Saved again, unchanged: enough for a new build. */
const SAVED = 'src/main.ts';

const rounds = Number(process.argv[2] ?? 7);
const environment = { ...process.env, PORT: String(PORT), DATA_DIR: dataFolder(), DEMO: 'off' };

print(`${rounds} rounds, ${process.version}`);
await measureStarts();
await measureChanges();

async function measureStarts(): Promise<void> {
  const startsMs: number[] = [];
  // The first one makes the database, and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    const startedMs = performance.now();
    const service = run('tools/start.mjs');
    await untilHealth(true);
    startsMs.push(performance.now() - startedMs);
    await end(service);
  }
  tell('npm start, to /health', startsMs.slice(1), GOAL_START_MS);
}

async function measureChanges(): Promise<void> {
  const changesMs: number[] = [];
  const development = run('tools/dev.mjs');
  await untilHealth(true);
  for (let round = 0; round <= rounds; round += 1) {
    await sleep(QUIET_MS);
    const savedMs = performance.now();
    utimesSync(SAVED, new Date(), new Date());
    await untilHealth(false);
    await untilHealth(true);
    changesMs.push(performance.now() - savedMs);
  }
  await end(development);
  tell('npm run dev, from a saved file to /health', changesMs.slice(1), GOAL_CHANGE_MS);
}

function run(program: string): ChildProcess {
  const child = spawn(process.execPath, [program], { env: environment, stdio: 'ignore' });
  process.on('exit', () => child.kill());
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function untilHealth(isServed: boolean): Promise<void> {
  while ((await isHealthy()) !== isServed) await sleep(LOOK_MS);
}

function isHealthy(): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port: PORT, path: '/health', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

function tell(what: string, timesMs: readonly number[], limitMs: number): void {
  const ms = Math.round(median(timesMs));
  const listed = timesMs.map((one) => Math.round(one)).join(', ');
  print(`${what}: ${ms} ms (median; ${goal(ms, '<', limitMs, ' ms')}); rounds ${listed}`);
}
