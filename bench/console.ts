// What open pages of the console cost the calls beside them: 20 ms timers on the thread of live audio while 1,000 calls
// a minute are dialled and 20 pages watch, against the same calls watched by nobody, round by round in turn in one
// process. Then what a browser loads, and how soon it shows a call of an hour.
//
//     npm run bench:console -- [pages=20] [seconds=15] [rounds=3]
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHours } from './console-hour.js';
import { obeyAsPages, type PagesOrder, type PagesResult } from './console-pages.js';
import { serveConsole, type ConsoleTarget } from './console-service.js';
import { loadSizes } from './console-size.js';
import { goal, median, print, quantile } from './figures.js';
import type { Usage } from './lateness.js';
import { answerOf, startServer } from './processes.js';
import type { ChildProcess } from 'node:child_process';

const GOAL_LATE_MS = 10;
const GOAL_FIRST_KB = 40;
const GOAL_CALL_KB = 60;
const GOAL_OPEN_MS = 1_000;
const CALLS_PER_SECOND = 1_000 / 60;
const WARM_UP_SECONDS = 10;
const IDLE_MS = 2_000;

// A child ends when its parent lets go of it, in whatever way.
process.on('disconnect', () => process.exit());

const [role = '20', seconds = '15', rounds = '3'] = process.argv.slice(2);
if (role === 'service') await serveConsole();
else if (role === 'pages') obeyAsPages();
else await compare(Number(role), Number(seconds), Number(rounds));

interface Round {
  idle: Usage;
  unwatched: Usage;
  watched: Usage;
  pages: PagesResult;
}

async function compare(pageCount: number, roundSeconds: number, roundCount: number): Promise<void> {
  print(
    `1,000 calls a minute, ${pageCount} pages, ${roundCount} rounds of ${roundSeconds} s, ${process.version}`,
  );
  const [service, client] = [startServer('service'), startServer('pages')];
  const target = await answerOf<ConsoleTarget>(service);
  const measure = async (pages: number, forSeconds: number) => {
    await ask<Usage>(service);
    const order: PagesOrder = { target, pages, seconds: forSeconds, callsPerSecond: CALLS_PER_SECOND };
    const result = await ask<PagesResult>(client, order);
    return { result, usage: await ask<Usage>(service) };
  };
  await measure(pageCount, WARM_UP_SECONDS);
  const all: Round[] = [];
  print(
    'round   processor ms/s unwatched / watched   late p99 ms idle / unwatched / watched   events   reads',
  );
  for (let round = 1; round <= roundCount; round++) {
    await ask<Usage>(service);
    await sleep(IDLE_MS);
    const idle = await ask<Usage>(service);
    const { usage: unwatched } = await measure(0, roundSeconds);
    const { usage: watched, result: pages } = await measure(pageCount, roundSeconds);
    all.push({ idle, unwatched, watched, pages });
    print(rowOf(round, roundSeconds, all.at(-1)!));
  }
  summarize(all);
  const { firstKb, callKb } = loadSizes();
  print(`first load    ${firstKb.toFixed(1)} kB gzip (${goal(firstKb, '≤', GOAL_FIRST_KB, ' kB')})`);
  print(`call page     ${callKb.toFixed(1)} kB more (${goal(callKb, '≤', GOAL_CALL_KB, ' kB')})`);
  const opened = await openHours(target);
  if (opened === null) print('a call of an hour: there is no browser to open it with');
  else {
    const shownMs = median(opened.map((call) => call.shownMs));
    const wholeMs = median(opened.map((call) => call.wholeMs));
    print(
      `a call of an hour   shown after ${shownMs.toFixed(0)} ms (median of ${opened.length}; ` +
        `${goal(shownMs, '<', GOAL_OPEN_MS, ' ms')}), its last line after ${wholeMs.toFixed(0)} ms`,
    );
  }
  const gone = Promise.all([service, client].map((child) => once(child, 'exit')));
  for (const child of [service, client]) child.disconnect();
  await gone;
}

function rowOf(round: number, roundSeconds: number, { idle, unwatched, watched, pages }: Round): string {
  const perSecond = ({ cpuMicros }: Usage): string => (cpuMicros / 1_000 / roundSeconds).toFixed(0);
  return [
    String(round).padEnd(5),
    `${perSecond(unwatched)} / ${perSecond(watched)}`.padStart(36),
    [idle, unwatched, watched]
      .map((usage) => late99([usage]).toFixed(1))
      .join(' / ')
      .padStart(42),
    String(pages.events).padStart(8),
    String(pages.reads).padStart(7),
  ].join(' ');
}

function summarize(all: readonly Round[]): void {
  const ratio = median(all.map(({ watched, unwatched }) => watched.cpuMicros / unwatched.cpuMicros));
  const lateMs = late99(all.map(({ watched }) => watched));
  print(
    `20 ms timer   late by ${lateMs.toFixed(1)} ms at p99 (${goal(lateMs, '<', GOAL_LATE_MS, ' ms')}); ` +
      `idle ${late99(all.map(({ idle }) => idle)).toFixed(1)}; ` +
      `watched by nobody ${late99(all.map(({ unwatched }) => unwatched)).toFixed(1)}`,
  );
  print(`processor     ${ratio.toFixed(2)} times that of the same calls watched by nobody (median)`);
}

function late99(usages: readonly Usage[]): number {
  return quantile(
    usages.flatMap(({ lateMs }) => lateMs),
    0.99,
  );
}

async function ask<Answer>(child: ChildProcess, order: unknown = 'usage'): Promise<Answer> {
  const answer = answerOf<Answer>(child);
  child.send(order as object);
  return answer;
}
