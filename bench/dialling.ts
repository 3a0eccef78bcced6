// What dialling costs: calls that are due at one instant, from the durable queue of the whole built service to the
// telephone network, against a bare durable queue that claims and marks as many rows over the same store and loop
// (SQLite, synchronous=FULL, grouped commits), both with a million rows that wait; and against what is built of BullMQ
// and PostgreSQL for the same guarantee, where a Redis is installed. Then punctuality: one-time calls over a minute.
//
//     npm run bench:dialling -- [calls=10000] [pending=1000000] [rounds=3] [punctual=1000]
//
// The same over PostgreSQL, with one process of the service, two and three, whose processor time is counted with that
// of the server; beside the rows of such calls, written by hand in as few statements as possible; and beside BullMQ.
//
//     npm run bench:dialling -- postgres [calls=3000] [pending=100000] [processes=1,2,3] [punctual=1000]
import { missingForBullMq } from './bullmq.js';
import { drainBareQueue } from './dialling-bare.js';
import { openDiallingService } from './dialling-service.js';
import { WARM_UPS, type Measured, type Sizes } from './dialling-measure.js';
import { drainBullMq } from './dialling-rivals.js';
import { goal, print, quantile, ratioOf } from './figures.js';
import { drainByHand } from './dialling-postgres-bare.js';
import { comparePostgres } from './dialling-postgres.js';
import { serveOverPostgres } from './dialling-postgres-service.js';
import { dataFolder, resultOf, startMeasured } from './processes.js';

const GOAL_OF_BARE = 0.08;
const GOAL_OF_RIVAL = 1.5;
/** Delayed jobs cost memory: so many must do. */
const MOST_PENDING_IN_REDIS = 100_000;
const GOAL_LATE_MS = 250;
const ONE_MINUTE_MS = 60_000;

const [role = '10000', ...options] = process.argv.slice(2);
const [second = '1000000', third = '3', fourth = '1000'] = options;
if (role === 'postgres') await comparePostgres(options);
else if (role === 'postgres-service') await serveOverPostgres(second, { folder: third, journalPath: fourth });
else if (role === 'by-hand') process.send!([await drainByHand(dataFolder(), sizesOf(second, third))]);
else if (role === 'bare') process.send!([await drainBareQueue(dataFolder(), sizesOf(second, third))]);
else if (role === 'service') process.send!(await service(Number(second), Number(third), Number(fourth)));
else if (role === 'bullmq') process.send!([await drainBullMq(dataFolder(), sizesOf(second, third))]);
else await compare({ calls: Number(role), pending: Number(second) }, Number(third), Number(fourth));

async function compare(sizes: Sizes, rounds: number, punctual: number) {
  const { calls, pending } = sizes;
  print(`${calls} calls due at one instant, ${pending} waiting, ${rounds} rounds, ${process.version}`);
  const missing = await missingForBullMq();
  const ratios: { bare: number[]; rival: number[] } = { bare: [], rival: [] };
  for (let round = 1; round <= rounds; round += 1) {
    const [ceiling] = await child<[Measured]>('bare', calls, pending);
    const isLast = round === rounds;
    const [dialled, spread] = await child<[Measured, Measured | null]>(
      'service',
      calls,
      pending,
      isLast ? punctual : 0,
    );
    ratios.bare.push(ceiling.seconds / dialled.seconds);
    print(`round ${round}: bare queue  ${rowOf(ceiling)}`);
    print(`         dialled     ${rowOf(dialled)}`);
    if (missing === null) {
      const [rival] = await child<[Measured]>('bullmq', calls, Math.min(pending, MOST_PENDING_IN_REDIS));
      ratios.rival.push(rival.seconds / dialled.seconds);
      print(`         rival       ${rowOf(rival)}`);
    }
    if (spread) {
      const lateMs = quantile(spread.latenessMs, 0.99);
      print(`${punctual} calls over a minute: ${lateOf(spread)}; ${goal(lateMs, '<', GOAL_LATE_MS, ' ms')}`);
    }
  }
  print(`dialled : bare    ${ratioOf(ratios.bare, GOAL_OF_BARE)}`);
  if (missing === null) print(`dialled : BullMQ and PostgreSQL  ${ratioOf(ratios.rival, GOAL_OF_RIVAL)}`);
  else print(`not compared with BullMQ and PostgreSQL: ${missing}`);
}

function sizesOf(calls: string, pending: string): Sizes {
  return { calls: Number(calls), pending: Number(pending) };
}

async function service(
  calls: number,
  pending: number,
  punctual: number,
): Promise<[Measured, Measured | null]> {
  const opened = await openDiallingService(dataFolder(), pending);
  const atOnce = (now: number) => Array.from({ length: calls }, () => now);
  for (let time = 0; time < WARM_UPS; time += 1) {
    await opened.measure(atOnce);
    await opened.rest();
  }
  const dialled = await opened.measure(atOnce);
  const spread =
    punctual > 0
      ? await opened.measure((now) =>
          Array.from({ length: punctual }, (_, i) => now + Math.floor((i * ONE_MINUTE_MS) / punctual)),
        )
      : null;
  await opened.close();
  return [dialled, spread];
}

function child<Result>(role: string, ...sizes: number[]): Promise<Result> {
  return resultOf<Result>(startMeasured(role, ...sizes.map(String)));
}

function rowOf(measured: Measured): string {
  const calls = measured.latenessMs.length;
  const each = (cpuMicros: number) => `${Math.round(cpuMicros / calls)} µs of processor time each`;
  const { over } = measured;
  const wholly = over ? `; all over after ${over.seconds.toFixed(1)} s, ${each(over.cpuMicros)}` : '';
  return `${Math.round(calls / measured.seconds)}/s, ${each(measured.cpuMicros)}, ${lateOf(measured)}${wholly}`;
}

function lateOf({ latenessMs }: Measured): string {
  return `late by ${quantile(latenessMs, 0.5)} ms (p50), ${quantile(latenessMs, 0.99)} ms (p99)`;
}
