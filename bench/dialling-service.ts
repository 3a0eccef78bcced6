import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '#app/app.js';
import { readConfig } from '#config/read-config.js';
import { createLog } from '#kernel/log/log.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import { createCounter, dialledLines } from './dialling-journal.js';
import { cpuMicros, IN_A_MONTH_MS, SOON_MS, type Measured } from './dialling-measure.js';

/** Who lives at every number: answers and hangs up at once. */
export const LOAD_PERSONAS = PERSONAS.filter(({ pickup }) => pickup.kind === 'hangs_up_at_once');
/** Until speech is loaded and the service is quiet. */
export const LOADING_MS = 8_000;
export const LOOK_MS = 200;

/** Times at which calls are due, epoch milliseconds. */
export type Plan = (now: number) => number[];

/**
 * The whole service with `pending` calls that wait, and the network's own book of what it was asked to dial, and when.
 */
export async function openDiallingService(folder: string, pending: number) {
  const network = mkdtempSync(join(tmpdir(), 'callwright-network-'));
  process.on('exit', () => rmSync(network, { recursive: true, force: true }));
  const journalPath = join(network, 'ledger.jsonl');
  const config = readConfig({
    PORT: '0',
    DEMO: 'off',
    DATA_DIR: folder,
    MAX_CONCURRENT_CALLS: '100000',
    INBOUND_SHARE_PERCENT: '0',
    API_KEYS: 'bench-key-0123456789abcdef',
  });
  const app = await buildApp(config, {
    log: createLog('ERROR'),
    sandbox: { callsPerSecond: 1_000_000, journalPath, personas: LOAD_PERSONAS },
  });
  const { port } = await app.listen();
  const database = new Database(join(folder, 'callwright.db'), { timeout: 20_000 });
  await placeCall(port);
  const call = database.prepare('select * from calls limit 1').get() as Record<string, unknown>;
  park(database, String(call['id']), pending);
  await sleep(LOADING_MS);

  const enqueue = createEnqueue(database, call);
  const countDialled = createCounter(journalPath);
  const countOpen = database
    .prepare(`select count(*) from calls where ended_at is null and id like 'call_bench%'`)
    .pluck();
  let made = 0;
  return {
    async measure(plan: Plan): Promise<Measured> {
      const dueAt = new Map<string, number>();
      const times = plan(Date.now() + SOON_MS);
      database.transaction(() => {
        for (const at of times) dueAt.set(enqueue({ number: (made += 1), at }), at);
      })();
      if (Date.now() > Math.min(...times)) throw new Error('the calls were due before all were written');
      await sleep(Math.min(...times) - Date.now());
      const cpuBefore = cpuMicros();
      while (countDialled() < made) await sleep(LOOK_MS);
      const cpu = cpuMicros() - cpuBefore;
      while (countOpen.get() !== 0) await sleep(LOOK_MS);
      const over = {
        seconds: (Date.now() - Math.min(...times)) / 1_000,
        cpuMicros: cpuMicros() - cpuBefore,
      };
      const lines = dialledLines(journalPath).filter(({ dialRef }) => dueAt.has(dialRef));
      const latenessMs = lines.map(({ dialRef, at }) => Date.parse(at) - dueAt.get(dialRef)!);
      const last = Math.max(...lines.map(({ at }) => Date.parse(at)));
      return { seconds: (last - Math.min(...times)) / 1_000, latenessMs, cpuMicros: cpu, over };
    },
    /** Until all that comes after the calls is done, too. */
    async rest(): Promise<void> {
      const left = database
        .prepare(`select count(*) from jobs where status in ('pending', 'running')`)
        .pluck();
      while (left.get() !== 0) await sleep(LOOK_MS);
    },
    async close() {
      database.close();
      await app.close();
    },
  };
}

/** A call far ahead, made as clients make them: the pattern of all others. */
export async function placeCall(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/outbound-call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'bench-key-0123456789abcdef' },
    body: JSON.stringify({
      to_number: '+14155550123',
      scheduled_time: new Date(Date.now() + IN_A_MONTH_MS).toISOString(),
      customer_data: { name: 'Ada Lovelace', plan: 'gold' },
    }),
  });
  if (!answer.ok) throw new Error(`the service answered ${answer.status}: ${await answer.text()}`);
}

/** Many attempts that wait for next month. They all belong to one call, which nothing looks at before. */
function park(database: Database.Database, callId: string, count: number): void {
  database
    .prepare(
      `with recursive n(i) as (select 2 union all select i + 1 from n where i <= ?)
       insert into dial_attempts (id, call_id, attempt, status, due_at, expires_at, look_ups, updated_at)
       select printf('dial_parked%012d', i), ?, i, 'pending', ? + i, ? + i, 0, 0 from n`,
    )
    .run(count, callId, Date.now() + IN_A_MONTH_MS, Date.now() + 2 * IN_A_MONTH_MS);
}

/** Writes one more call like the pattern, to be dialled at its time. */
function createEnqueue(database: Database.Database, pattern: Record<string, unknown>) {
  const columns = Object.keys(pattern);
  const insertCall = database.prepare(
    `insert into calls (${columns.join(', ')}) values (${columns.map((name) => `@${name}`).join(', ')})`,
  );
  const insertAttempt = database.prepare(
    `insert into dial_attempts (id, call_id, attempt, status, due_at, expires_at, look_ups, updated_at)
     values (?, ?, 1, 'pending', ?, ?, 0, 0)`,
  );
  return ({ number, at }: { number: number; at: number }): string => {
    const id = `call_bench${String(number).padStart(12, '0')}`;
    const to_phone = `+1415${5_000_000 + number}`;
    insertCall.run({ ...pattern, id, to_phone, scheduled_at: at, created_at: Date.now() });
    const dialRef = `dial_bench${String(number).padStart(12, '0')}`;
    insertAttempt.run(dialRef, id, at, at + 300_000);
    return dialRef;
  };
}
