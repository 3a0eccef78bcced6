import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { buildApp } from '#app/app.js';
import { readConfig } from '#config/read-config.js';
import { systemClock } from '#kernel/time/clock.js';
import { createLog } from '#kernel/log/log.js';
import { openStore, startStoreThreads } from '#store/open-store.js';
import type { Target } from './api-load.js';
import { ROW_MIGRATION, rowTransactions } from './api-row-store.js';
import { create } from './service-request.js';
import { watchUsage } from './lateness.js';
import { dataFolder } from './processes.js';

/** What a client may ask of a server: the ways in which it can be loaded. */
export type Targets = Record<string, Target>;

const IN_A_MONTH_MS = 30 * 86_400_000;
/** The sandbox's callee for load tests: answers and hangs up at once. */
const LOAD_PERSONA = '+15550100009';

/**
 * The ceiling: Fastify, one check, one row, through the same store with the same durability.
 * @param databaseUrl of an empty PostgreSQL database; without one it is SQLite
 */
export async function serveBare(databaseUrl?: string): Promise<void> {
  const folder = dataFolder();
  const migrationsDir = join(folder, 'migrations');
  mkdirSync(migrationsDir);
  writeFileSync(join(migrationsDir, '001-rows.sql'), ROW_MIGRATION);
  const store = await openStore(
    {
      databaseUrl: databaseUrl ?? `sqlite:${join(folder, 'rows.db')}`,
      threads: startStoreThreads([new URL('./api-row-store.mjs', import.meta.url)]),
      migrationsDir,
      queueLimit: 5_000,
    },
    { log: createLog('ERROR'), clock: systemClock },
  );
  const server = fastify();
  server.post<{ Body: { to_phone?: unknown } }>('/rows', async (request, reply) => {
    if (typeof request.body.to_phone !== 'string') return reply.code(400).send({ error: 'to_phone' });
    const row = { id: randomUUID(), body: JSON.stringify(request.body), at: Date.now() };
    return reply.code(201).send(await store.write(rowTransactions.insert, row));
  });
  const origin = await server.listen({ port: 0, host: '127.0.0.1' });
  const call = callBody('agent_0', inAMonth());
  announce({ accept: { origin, path: '/rows', apiKey: 'none', body: call } });
}

/**
 * The whole service as `npm start` opens it, with its usual settings but for a rate limit that is counted and not met.
 * @param databaseUrl as for the bare route
 */
export async function serveService(databaseUrl?: string): Promise<void> {
  const config = readConfig({
    PORT: '0',
    DEMO: 'off',
    DATA_DIR: dataFolder(),
    RATE_LIMIT_PER_MINUTE: '100000000',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  });
  const app = await buildApp(config);
  const { port, firstKey } = await app.listen();
  const origin = `http://127.0.0.1:${port}`;
  const apiKey = firstKey;
  if (apiKey === null) throw new Error('the service made no key');
  const agent = await create({ origin, apiKey }, '/api/agents', {
    name: 'Receptionist',
    initial_message: 'Hello {{name}}, this is the clinic.',
    ai_provider: 'builtin',
    voice_provider: 'builtin',
  });
  const path = '/api/calls';
  announce({
    accept: { origin, path, apiKey, body: callBody(String(agent['id']), inAMonth()) },
    dial: { origin, path, apiKey, body: callBody(String(agent['id']), null, LOAD_PERSONA) },
  });
}

/** A request such as a client sends: a number, a few facts about the customer, a reference of its own. */
function callBody(agentId: string, scheduledTime: string | null, to = '+1415{{number}}'): string {
  return JSON.stringify({
    agent_id: agentId,
    to_phone: to,
    customer_data: { name: 'Ada Lovelace', plan: 'gold' },
    metadata: { order_id: 'A-1001', campaign: 'spring' },
    ...(scheduledTime && { scheduled_time: scheduledTime }),
  });
}

function inAMonth(): string {
  return new Date(Date.now() + IN_A_MONTH_MS).toISOString();
}

/** Tells the parent where to send load, and from now on answers each of its messages with what was used since. */
function announce(targets: Targets): void {
  const usage = watchUsage();
  process.on('message', () => process.send!(usage()));
  process.send!(targets);
}
