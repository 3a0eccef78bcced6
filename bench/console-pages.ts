import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleTarget } from './console-service.js';
import { ask, create } from './service-request.js';

/** What the pages of the console gather before they read again; not all at the same moment. */
const GATHER_MS = 400;
const SPREAD_MS = 800;

/** What a page shows, by the addresses that it reads again when a call has entered another state. */
const PAGES = [
  ['/api/calls?limit=20'],
  ['/api/calls?live=true&limit=100'],
  ['/api/overview?days=30&timezone=UTC', '/api/calls?limit=8'],
];

/** So many calls a second while so many pages are open. */
export interface PagesOrder {
  target: ConsoleTarget;
  pages: number;
  seconds: number;
  callsPerSecond: number;
}

export interface PagesResult {
  events: number;
  reads: number;
}

/** Carries out one order after the other. */
export function obeyAsPages(): void {
  process.on('message', (order: PagesOrder) => {
    watchAndCall(order).then(
      (result) => process.send!(result),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}

async function watchAndCall({ target, pages, seconds, callsPerSecond }: PagesOrder): Promise<PagesResult> {
  const result = { events: 0, reads: 0 };
  const closing = new AbortController();
  const open = Array.from({ length: pages }, (_, index) =>
    watch(target, PAGES[index % PAGES.length]!, { result, signal: closing.signal }),
  );
  const startedMs = performance.now();
  const asked: Promise<unknown>[] = [];
  for (let count = 0; count < seconds * callsPerSecond; count++) {
    await sleep(Math.max(0, startedMs + (count * 1_000) / callsPerSecond - performance.now()));
    asked.push(create(target, '/api/calls', { agent_id: target.agentId, to_phone: target.number }));
  }
  await Promise.all(asked);
  closing.abort();
  await Promise.all(open);
  return result;
}

/** One page: its stream of events, and what it reads when they concern it. */
async function watch(
  target: ConsoleTarget,
  addresses: readonly string[],
  { result, signal }: { result: PagesResult; signal: AbortSignal },
): Promise<void> {
  let gathering: NodeJS.Timeout | undefined;
  const readAgain = (): void => {
    gathering = undefined;
    for (const address of addresses) {
      result.reads += 1;
      void ask(target, 'GET', address).catch(() => {});
    }
  };
  try {
    const headers = { 'x-api-key': target.apiKey };
    const { body } = await fetch(`${target.origin}/api/live`, { headers, signal });
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      const events = chunk.split('\nevent: ').length - 1;
      result.events += events;
      if (events > 0) gathering ??= setTimeout(readAgain, GATHER_MS + Math.random() * SPREAD_MS);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearTimeout(gathering);
  }
}
