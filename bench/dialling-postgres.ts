import { mkdirSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { missingForBullMq } from './bullmq.js';
import { createCounter, dialledLines } from './dialling-journal.js';
import { SOON_MS, WARM_UPS, type Measured, type Sizes } from './dialling-measure.js';
import { openCallRows } from './dialling-postgres-rows.js';
import { LOADING_MS, LOOK_MS, placeCall, type Plan } from './dialling-service.js';
import { goal, print, quantile } from './figures.js';
import { openServer } from './postgres.js';
import { answerOf, dataFolder, resultOf, startMeasured } from './processes.js';

const ONE_MINUTE_MS = 60_000;
const GOAL_PER_SECOND = 500;
const GOAL_MS = 3;
const GOAL_DEARER_PERCENT = 5;
const GOAL_LATE_MS = 250;

/** Processes of the service, one after the other of `processes`, beside the rows by hand and BullMQ. */
export async function comparePostgres(options: readonly string[]): Promise<void> {
  const [calls = 3_000, pending = 100_000] = options.slice(0, 2).map(Number);
  const counts = (options[2] ?? '1,2,3').split(',').map(Number);
  const punctual = Number(options[3] ?? 1_000);
  print(
    `${calls} calls for each process, due at one instant, ${pending} waiting, PostgreSQL, ${process.version}`,
  );
  const child = async (role: string) =>
    (await resultOf<[Measured]>(startMeasured(role, String(calls), String(pending))))[0];
  print(`by hand        ${rowOf(await child('by-hand'))}`);
  const missing = await missingForBullMq();
  if (missing === null) print(`BullMQ         ${rowOf(await child('bullmq'))}`);
  else print(`not compared with BullMQ and PostgreSQL: ${missing}`);
  let firstMs: number | null = null;
  for (const count of counts) {
    const [dialled, spread] = await dialOverPostgres(dataFolder(), count, { calls, pending, punctual });
    print(`${count} of the service ${rowOf(dialled)}`);
    const { perSecond, ms } = wholeCalls(dialled);
    if (count === 1)
      print(`  ${goal(perSecond, '≥', GOAL_PER_SECOND, '/s')}; ${goal(ms, '≤', GOAL_MS, ' ms')}`);
    else if (firstMs !== null) print(`  ${dearer(ms / firstMs, count)}`);
    firstMs ??= ms;
    if (!spread) continue;
    const lateMs = quantile(spread.latenessMs, 0.99);
    print(`  ${punctual} calls over a minute: ${lateOf(spread)}; ${goal(lateMs, '<', GOAL_LATE_MS, ' ms')}`);
  }
}

/** How much more a call costs with further processes, for each of them. */
function dearer(ratio: number, count: number): string {
  const percent = ((ratio - 1) * 100) / (count - 1);
  return `${percent.toFixed(1)} % dearer for each further process; ${goal(percent, '≤', GOAL_DEARER_PERCENT, ' %')}`;
}

function wholeCalls({ latenessMs, over }: Measured): { perSecond: number; ms: number; serverMs: number } {
  const calls = latenessMs.length;
  const { seconds, cpuMicros, serverMicros = 0 } = over!;
  const each = (micros: number) => micros / calls / 1_000;
  return { perSecond: calls / seconds, ms: each(cpuMicros + serverMicros), serverMs: each(serverMicros) };
}

function rowOf(measured: Measured): string {
  const { perSecond, ms, serverMs } = wholeCalls(measured);
  const cost = `${ms.toFixed(2)} ms of processor time each (${serverMs.toFixed(2)} of the server)`;
  return `${Math.round(perSecond)} whole calls/s, ${cost}, ${lateOf(measured)}`;
}

function lateOf({ latenessMs }: Measured): string {
  return `late by ${quantile(latenessMs, 0.5)} ms (p50), ${quantile(latenessMs, 0.99)} ms (p99)`;
}

/** Calls due at one instant for each process, after as many for the compiler; then `punctual` over a minute. */
async function dialOverPostgres(
  folder: string,
  processes: number,
  { calls, pending, punctual }: Sizes & { punctual: number },
): Promise<[Measured, Measured | null]> {
  const opened = await openProcesses(folder, processes, pending);
  const atOnce = (now: number) => Array.from({ length: calls * processes }, () => now);
  for (let round = 0; round < WARM_UPS; round += 1) {
    await opened.measure(atOnce);
    await opened.rest();
  }
  const dialled = await opened.measure(atOnce);
  await opened.rest();
  const overOneMinute = (now: number) =>
    Array.from({ length: punctual }, (_, i) => now + Math.floor((i * ONE_MINUTE_MS) / punctual));
  const spread = punctual > 0 ? await opened.measure(overOneMinute) : null;
  await opened.close();
  return [dialled, spread];
}

/** Processes of the service over one PostgreSQL, with `pending` calls that wait. */
async function openProcesses(folder: string, count: number, pending: number) {
  const server = await openServer(folder);
  const dataFolder = join(folder, 'service');
  mkdirSync(dataFolder);
  const journals = Array.from({ length: count }, (_, i) => join(folder, `journal-${i}.jsonl`));
  const processes = journals.map((journal) =>
    startMeasured('postgres-service', server.databaseUrl, dataFolder, journal),
  );
  const ports = await Promise.all(processes.map((child) => answerOf<number>(child)));
  await placeCall(ports[0]!);
  const rows = await openCallRows(server.databaseUrl);
  await rows.park(pending);
  await sleep(LOADING_MS);
  const counters = journals.map(createCounter);
  let made = 0;
  return {
    async measure(plan: Plan): Promise<Measured> {
      const times = plan(Date.now() + SOON_MS);
      const dueAt = await rows.enqueue(times);
      made += times.length;
      const first = Math.min(...times);
      if (Date.now() > first) throw new Error('the calls were due before all were written');
      await sleep(first - Date.now());
      const [before, serverBefore] = [await usedBy(processes), server.cpuMicros()];
      const used = async () => (await usedBy(processes)) - before;
      while (counters.reduce((sum, dialled) => sum + dialled(), 0) < made) await sleep(LOOK_MS);
      const cpuMicros = await used();
      while ((await rows.countOpen()) !== 0) await sleep(LOOK_MS);
      const seconds = (Date.now() - first) / 1_000;
      const over = { seconds, cpuMicros: await used(), serverMicros: server.cpuMicros() - serverBefore };
      const lines = journals.flatMap(dialledLines).filter(({ dialRef }) => dueAt.has(dialRef));
      const latenessMs = lines.map(({ dialRef, at }) => Date.parse(at) - dueAt.get(dialRef)!);
      const last = Math.max(...lines.map(({ at }) => Date.parse(at)));
      return { seconds: (last - first) / 1_000, latenessMs, cpuMicros, over };
    },
    /** Until all that comes after the calls is done, too. */
    async rest(): Promise<void> {
      while ((await rows.countJobs()) !== 0) await sleep(LOOK_MS);
      await rows.vacuum();
    },
    async close(): Promise<void> {
      await rows.close();
      const gone = Promise.all(processes.map((child) => once(child, 'exit')));
      for (const child of processes) child.disconnect();
      await gone;
      await server.remove();
    },
  };
}

/** Processor time of all processes so far (microseconds). */
async function usedBy(processes: readonly ChildProcess[]): Promise<number> {
  const used = processes.map((child) => {
    child.send('usage');
    return answerOf<number>(child);
  });
  return (await Promise.all(used)).reduce((sum, micros) => sum + micros, 0);
}
