// What accepting a call costs: `POST /api/calls` of the whole built service, durable, against a bare Fastify route that
// checks one field and inserts one row through the same store (SQLite, synchronous=FULL, grouped commits). Same run,
// same client, round by round in turn; client and servers are processes of their own.
//
//     npm run bench:api -- [postgres] [outstanding=64] [seconds=3] [rounds=5]
//
// Calls are scheduled for next month, so that accepting is all that happens; a last line shows calls that are dialled
// at once. Meanwhile 20 ms timers run on the server's main thread, where live audio would be: their lateness is shown
// beside that of the same timers in the same process without load.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { load, type LoadOrder, type LoadResult, type Target } from './api-load.js';
import { serveBare, serveService, type Targets } from './api-servers.js';
import { goal, median, print, quantile, ratioOf } from './figures.js';
import type { Usage } from './lateness.js';
import { openServer } from './postgres.js';
import { answerOf, dataFolder, startServer } from './processes.js';

const GOAL_RATIO = 0.5;
const GOAL_LATE_MS = 10;
/** Until the compiler is done with the service, and the tables of both have some 100,000 rows. */
const WARM_UP_SECONDS = 12;
const IDLE_MS = 500;

// A child ends when its parent lets go of it, in whatever way.
process.on('disconnect', () => process.exit());

const words = process.argv.slice(2);
const isOnPostgres = words[0] === 'postgres';
const [role = '64', seconds = '3', rounds = '5'] = isOnPostgres ? words.slice(1) : words;
if (role === 'bare') await serveBare(words[1]);
else if (role === 'service') await serveService(words[1]);
else if (role === 'client') obey();
else await compare(Number(role), Number(seconds), Number(rounds));

/** One server under load, as its client and it itself saw it. */
interface Measured extends LoadResult {
  perSecond: number;
  /** Of all the server's threads, and of PostgreSQL, for each request. */
  cpuMicros: number;
  usage: Usage;
}

async function compare(outstanding: number, roundSeconds: number, roundCount: number): Promise<void> {
  print(`${outstanding} outstanding, ${roundCount} rounds of ${roundSeconds} s, ${process.version}`);
  const postgres = isOnPostgres ? await openServer(dataFolder()) : null;
  const start = async (name: string) =>
    startServer(name, ...(postgres ? [await postgres.createDatabase()] : []));
  const [bare, service, client] = [await start('bare'), await start('service'), startServer('client')];
  const [bareTargets, serviceTargets] = await Promise.all([
    answerOf<Targets>(bare),
    answerOf<Targets>(service),
  ]);
  const measure = async (server: ChildProcess, target: Target, forSeconds: number): Promise<Measured> => {
    await ask<Usage>(server);
    const ofDatabase = postgres?.cpuMicros() ?? 0;
    const result = await ask<LoadResult>(client, { target, outstanding, seconds: forSeconds });
    const usage = await ask<Usage>(server);
    const cpuMicros = usage.cpuMicros + (postgres?.cpuMicros() ?? 0) - ofDatabase;
    const perSecond = result.answered / result.seconds;
    return { ...result, perSecond, usage, cpuMicros: cpuMicros / result.answered };
  };
  const { accept, dial } = serviceTargets;
  await measure(bare, bareTargets['accept']!, WARM_UP_SECONDS);
  await measure(service, accept!, WARM_UP_SECONDS);

  const all: { idle: Usage; bare: Measured; service: Measured }[] = [];
  print(
    'round          bare/s service/s   ratio   processor µs bare / service   late p99 ms idle / bare / service',
  );
  for (let round = 1; round <= roundCount; round++) {
    await ask<Usage>(service);
    await sleep(IDLE_MS);
    const idle = await ask<Usage>(service);
    const measured = {
      idle,
      bare: await measure(bare, bareTargets['accept']!, roundSeconds),
      service: await measure(service, accept!, roundSeconds),
    };
    all.push(measured);
    print(rowOf(String(round), measured));
  }
  summarize(all);
  const dialling = await measure(service, dial!, roundSeconds);
  print(`dialled at once: ${describe(dialling)}`);
  const gone = Promise.all([bare, service, client].map((child) => once(child, 'exit')));
  for (const child of [bare, service, client]) child.disconnect();
  await gone;
  await postgres?.remove();
}

function rowOf(
  name: string,
  { idle, bare, service }: { idle: Usage; bare: Measured; service: Measured },
): string {
  const ratio = service.perSecond / bare.perSecond;
  return [
    name.padEnd(11),
    whole(bare.perSecond).padStart(9),
    whole(service.perSecond).padStart(9),
    ratio.toFixed(2).padStart(7),
    `${whole(bare.cpuMicros)} / ${whole(service.cpuMicros)}`.padStart(28),
    [idle, bare.usage, service.usage]
      .map((usage) => late99([usage]).toFixed(1))
      .join(' / ')
      .padStart(34),
  ].join(' ');
}

function summarize(all: readonly { idle: Usage; bare: Measured; service: Measured }[]): void {
  const ratios = all.map(({ bare, service }) => service.perSecond / bare.perSecond);
  const cpu = median(all.map(({ bare, service }) => bare.cpuMicros / service.cpuMicros));
  const serviceUsages = all.map(({ service }) => service.usage);
  const lateMs = late99(serviceUsages);
  print(`ratio of calls a second   ${ratioOf(ratios, GOAL_RATIO)}`);
  print(`ratio of processor time   ${cpu.toFixed(2)} (median)`);
  print(
    `20 ms timer, all rounds   late by ${lateMs.toFixed(1)} ms at p99 (${goal(lateMs, '<', GOAL_LATE_MS, ' ms')}); ` +
      `idle ${late99(all.map(({ idle }) => idle)).toFixed(1)}; ` +
      `bare ${late99(all.map(({ bare }) => bare.usage)).toFixed(1)}`,
  );
  const loopDelays = serviceUsages.map((usage) => usage.loopDelayP99Ms.toFixed(1));
  print(`event loop delay p99      ${loopDelays.join(', ')} ms by round`);
  const last = all.at(-1);
  if (last) print(`bare, last round: ${describe(last.bare)}\nservice, last round: ${describe(last.service)}`);
}

function describe({ perSecond, latencyP50Ms, latencyP99Ms, clientUtilization, usage }: Measured): string {
  return (
    `${whole(perSecond)} a second, answered in ${latencyP50Ms.toFixed(1)} ms (p50) and ${latencyP99Ms.toFixed(1)} ms (p99), ` +
    `main thread ${whole(usage.utilization * 100)} % busy, client ${whole(clientUtilization * 100)} %, ` +
    `timer late by ${late99([usage]).toFixed(1)} ms (p99)`
  );
}

function late99(usages: readonly Pick<Usage, 'lateMs'>[]): number {
  return quantile(
    usages.flatMap(({ lateMs }) => lateMs),
    0.99,
  );
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** The client's side: carries out one order after the other. */
function obey(): void {
  process.on('message', (order: LoadOrder) => {
    load(order).then(
      (result) => process.send!(result),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}

async function ask<Answer>(child: ChildProcess, order: LoadOrder | 'report' = 'report'): Promise<Answer> {
  child.send(order);
  return answerOf<Answer>(child);
}
