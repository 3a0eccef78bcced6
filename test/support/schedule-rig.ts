import { BUILT_IN_ONLY } from './known-providers.js';
import Database from 'better-sqlite3';
import { fileURLToPath } from 'node:url';
import { agentTransactions } from '#agents/definitions/agent-store.js';
import { findCall } from '#calls/record/call-rows.js';
import type { CallRow } from '#calls/record/call.js';
import { moveCall } from '#calls/record/call-progress.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { finishCall } from '#calls/endings/finish-call.js';
import { createTxContexts, type TxContexts } from '#calls/endings/tx-contexts.js';
import type { ClockTrust } from '#kernel/work/clock-watch.js';
import { createIds } from '#kernel/ids/ids.js';
import { Scheduler } from '#schedules/runs/scheduling/scheduler.js';
import { schedulerTransactions } from '#schedules/runs/scheduling/scheduler-store.js';
import { ExecutionRow, ScheduleRow } from '#schedules/record/schedule.js';
import { oneTimeRequest, recurringRequest, scheduleUpdate } from '#schedules/record/schedule-request.js';
import { Schedules } from '#schedules/schedules.js';
import { readMigrations } from '#store/migrations.js';
import { migrateSqlite } from '#store/sqlite/open-sqlite.js';
import { SqliteTx, StatementCache } from '#store/sqlite/transaction.js';
import type { Store } from '#store/store.js';
import type { Tx } from '#store/transaction.js';
import { FakeClock } from './fake-clock.js';
import { LENIENT_RULES } from './lenient-rules.js';
import { createMemoryLog } from './memory-log.js';
import { TRUSTED } from './trusted-clock.js';
import { PRINCIPAL } from './principal.js';
import { MIGRATIONS } from './fresh-database.js';

const NO_LINKS = { recordingUrl: '', transcriptUrl: '' };
/** Built once, because schemas are compiled on first use. */
const ONE_TIME = oneTimeRequest();
const RECURRING = recurringRequest();
const UPDATE = scheduleUpdate();
const DEFAULTS = {
  fromNumber: '+15550000000',
  carrierName: 'scripted',
  recordStorage: 'local' as const,
  providers: BUILT_IN_ONLY,
};

/** An event sent to a receiver. */
export interface Told {
  event: string;
  data: Record<string, unknown>;
}

/** The schedules module on an in-memory database, without loops and threads: the test triggers every step. */
export class ScheduleRig {
  readonly clock: FakeClock;
  clockTrust: ClockTrust = TRUSTED;
  readonly log = createMemoryLog();
  readonly ids;
  readonly schedules: Schedules;
  agentId = '';
  readonly #database = new Database(':memory:');
  readonly #statements: StatementCache;
  readonly txContexts: TxContexts;
  #before: (() => Promise<unknown>) | null = null;
  /** Runs one transaction at a time, like the store's thread. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(startMs = Date.UTC(2026, 10, 21)) {
    this.clock = new FakeClock(startMs);
    this.ids = createIds(this.clock);
    this.#database.pragma('foreign_keys = ON');
    migrateSqlite(this.#database, readMigrations(fileURLToPath(MIGRATIONS)), startMs);
    this.#statements = new StatementCache(this.#database);
    this.txContexts = createTxContexts({ clock: this.clock, links: () => NO_LINKS });
    this.schedules = new Schedules({
      store: this.store,
      clock: this.clock,
      ids: this.ids,
      defaults: DEFAULTS,
      settings: { defaultTimezone: 'UTC', planningHorizonDays: 3_653, timeZoneVersion: '2025c' },
      rules: LENIENT_RULES,
      checkReceiver: async () => {},
      wakeScheduler: () => {},
      wakeDialler: () => {},
      hangUp: (_principal, callId) => this.end(callId, 'api_disconnect', { answered: true }),
      txContexts: this.txContexts,
      tellEnd: () => {},
    });
  }

  static async open(startMs?: number): Promise<ScheduleRig> {
    const rig = new ScheduleRig(startMs);
    const at = rig.clock.wallMs();
    const agent = await rig.store.write(agentTransactions.ensureDefault, {
      workspace: 'default',
      id: rig.ids.next('agent'),
      at,
    });
    rig.agentId = agent.id;
    return rig;
  }

  get store(): Store {
    return {
      write: async (unit, args) => {
        const before = this.#before;
        this.#before = null;
        await before?.();
        return this.run((tx) => unit(tx, args));
      },
      read: (unit, args) => this.run((tx) => unit(tx, args)),
      listen: () => () => {},
      backup: async () => {},
      close: async () => {},
    };
  }

  /** A scheduler with its own loops, as in another process. */
  scheduler(timeZoneVersion = '2025c', store = this.store): Scheduler {
    const { clock, log } = this;
    return new Scheduler({
      store,
      clock,
      clockTrust: this.clockTrust,
      log: log.log,
      defaults: DEFAULTS,
      timeZoneVersion,
      wakeDialler() {},
    });
  }

  /** Runs one atomic transaction. */
  run<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(async () => {
      const tx = new SqliteTx(this.#statements);
      this.#database.exec('begin');
      try {
        const result = await work(tx);
        this.#database.exec('commit');
        return result;
      } catch (error) {
        this.#database.exec('rollback');
        throw error;
      } finally {
        tx.end();
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  once(scheduledTime: string, more: object = {}) {
    const request = { agent_id: this.agentId, phone_number: '+14155550123', ...more };
    return this.schedules.createOnce(
      PRINCIPAL,
      ONE_TIME.parse({ ...request, scheduled_time: scheduledTime }),
      null,
    );
  }

  recurring(cron: string, more: object = {}) {
    const request = { agent_id: this.agentId, phone_number: '+14155550123', ...more };
    return this.schedules.createRecurring(
      PRINCIPAL,
      RECURRING.parse({ ...request, cron_expression: cron }),
      null,
    );
  }

  update(id: string, changes: object) {
    return this.schedules.update(PRINCIPAL, id, UPDATE.parse(changes));
  }

  /** Sets the clock to a time of the first day, in UTC. */
  at(text: string): void {
    this.clock.setWall(Date.parse(`2026-11-21T${text}Z`));
  }

  /** Executes everything due now, one after the other. */
  async runDue(): Promise<void> {
    const now = this.clock.wallMs();
    for (;;) {
      const [due] = await this.store.write(schedulerTransactions.claim, {
        now,
        leaseUntil: now + 15_000,
        limit: 1,
      });
      if (!due) return;
      await this.perform(due);
    }
  }

  perform(due: { id: string; schedule_id: string }, timeZoneVersion = '2025c') {
    return this.store.write(schedulerTransactions.performDue, {
      executionId: due.id,
      scheduleId: due.schedule_id,
      at: this.clock.wallMs(),
      defaults: DEFAULTS,
      timeZoneVersion,
    });
  }

  /** Ends a call like the dialler, and applies the end to its schedule unless `unheard`. */
  async end(
    callId: string,
    reason: EndedReason,
    how: { answered?: boolean; dialled?: boolean; talkMs?: number; unheard?: boolean } = {},
  ): Promise<void> {
    const context = () => this.txContexts.now(callId);
    const answeredAt = this.clock.wallMs() - (how.talkMs ?? 0);
    await this.run(async (tx) => {
      let call = (await findCall(tx, callId))!;
      if (how.answered)
        call = await moveCall(tx, call, { to: 'active', context: { ...context(), at: answeredAt } });
      else if (how.dialled !== false)
        call = await moveCall(tx, call, { to: 'connecting', context: context() });
      await finishCall(tx, call, this.txContexts.finish(callId, reason));
    });
    if (!how.unheard) await this.settle(callId);
  }

  /** Runs a function right before the next transaction of a request. */
  beforeNextWrite(doThis: () => Promise<unknown>): void {
    this.#before = doThis;
  }

  /** The dialler's queue, including past attempts. */
  attempts() {
    return this.run((tx) => tx.all('select * from dial_attempts order by id'));
  }

  /** All waiting calls are dialled. */
  async dialAll(): Promise<void> {
    await this.run((tx) => tx.run(`update dial_attempts set status = 'placed' where status = 'pending'`));
  }

  settle(callId: string) {
    return this.store.write(schedulerTransactions.settle, { callId, at: this.clock.wallMs() });
  }

  async schedule(id: string): Promise<ScheduleRow> {
    return this.run(async (tx) =>
      ScheduleRow.parse(await tx.get('select * from schedules where id = ?', id)),
    );
  }

  /** The executions by planned time. */
  async executions(id: string): Promise<ExecutionRow[]> {
    const rows = await this.run((tx) =>
      tx.all('select * from executions where schedule_id = ? order by planned_at, id', id),
    );
    return rows.map((row) => ExecutionRow.parse(row));
  }

  /** The statuses of the executions, in order. */
  async statuses(id: string): Promise<ExecutionRow['status'][]> {
    return (await this.executions(id)).map(({ status }) => status);
  }

  async live(id: string): Promise<ExecutionRow | undefined> {
    return (await this.executions(id)).find(({ status }) => status === 'in_progress');
  }

  call(id: string): Promise<CallRow | null> {
    return this.run((tx) => findCall(tx, id));
  }

  /** The events of a schedule, in order. */
  async told(id: string): Promise<Told[]> {
    const rows = await this.run((tx) =>
      tx.all(
        `select body from events where subject_id = ? and type like 'scheduled_call.%' order by rowid`,
        id,
      ),
    );
    return rows.map((row) => JSON.parse(String(row['body'])) as Told);
  }

  /** Changes a row directly. */
  sabotage(sql: string, ...values: (string | number | null)[]): Promise<number> {
    return this.run((tx) => tx.run(sql, ...values));
  }

  /** The types of the events of a schedule. */
  async events(id: string): Promise<string[]> {
    return (await this.told(id)).map(({ event }) => event);
  }

  /** Deletes all rows of the module. */
  async forget(): Promise<void> {
    const tables =
      'deliveries events executions schedules call_events dial_attempts jobs calls webhooks number_decisions';
    for (const table of tables.split(' ')) await this.sabotage(`delete from ${table}`);
  }

  /** The number of due executions that have not started. */
  async overdue(): Promise<number> {
    const row = await this.run((tx) =>
      tx.get(
        `select count(*) as n from executions where status = 'pending' and planned_at <= ?`,
        this.clock.wallMs(),
      ),
    );
    return Number(row!['n']);
  }

  /** The number of calls waiting to be dialled. */
  async queued(): Promise<number> {
    const row = await this.run((tx) =>
      tx.get(`select count(*) as n from dial_attempts where status = 'pending'`),
    );
    return Number(row!['n']);
  }
}
