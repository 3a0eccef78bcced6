import { BUILT_IN_ONLY } from '#test/support/known-providers.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentTransactions } from '#agents/definitions/agent-store.js';
import type { CallRow } from '#calls/record/call.js';
import { createTxContexts } from '#calls/endings/tx-contexts.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';
import type { OnSuppressed } from '#policy/suppressions/suppressions.js';
import { ScheduleService } from '#schedules/schedule-service.js';
import { oneTimeRequest, recurringRequest } from '#schedules/record/schedule-request.js';
import type { Store } from '#store/store.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { openPostgres } from '#test/support/postgres.js';
import { LENIENT_RULES } from '#test/support/lenient-rules.js';
import { scheduleLookTransactions } from '#test/support/schedule-look-transactions.js';
import { openTestStore } from '#test/support/store.js';
import { TRUSTED } from '#test/support/trusted-clock.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const postgres = await openPostgres();
const MANY = 100;
const ids = createIds(systemClock);
const NO_LINKS = { recordingUrl: '', transcriptUrl: '' };

/** One process: its own way to the database, its own loops. */
class Process {
  readonly store: Store;
  readonly callService: ScheduleService;
  #ended: (call: CallRow) => void = () => {};
  suppressed: OnSuppressed = async () => {};

  private constructor(store: Store) {
    this.store = store;
    this.callService = new ScheduleService({
      store,
      clock: systemClock,
      clockTrust: TRUSTED,
      ids,
      log: createMemoryLog().log,
      callService: {
        calls: {
          defaults: {
            fromNumber: '+15550000000',
            carrierName: 'scripted',
            recordStorage: 'local',
            providers: BUILT_IN_ONLY,
          },
          disconnect: async () => {},
        },
        txContexts: createTxContexts({ clock: systemClock, links: () => NO_LINKS }),
        announceEnd: () => {},
        wakeDialler: () => {},
        onCallEnd: (listener) => (this.#ended = listener),
        suppressionEnforcer: { onSuppressed: (listener) => (this.suppressed = listener) },
      },
      rules: LENIENT_RULES,
      settings: { defaultTimezone: 'UTC', planningHorizonDays: 3_653, timeZoneVersion: 'test' },
      checkReceiver: async () => {},
    });
    onTestFinished(() => this.callService.stop());
  }

  static async open(databaseUrl: string): Promise<Process> {
    return new Process(await openTestStore({ databaseUrl, clock: systemClock }));
  }

  async end(callId: string, reason: EndedReason): Promise<void> {
    const at = systemClock.wallMs();
    await this.store.write(scheduleLookTransactions.end, { callId, reason, at });
    this.#ended({ execution_id: 'exec' } as CallRow);
  }

  counts() {
    return this.store.read(scheduleLookTransactions.counts, {});
  }

  /** Asks again and again, which lets the loops have their turns. */
  async until(condition: (counts: Awaited<ReturnType<Process['counts']>>) => boolean): Promise<void> {
    while (!condition(await this.counts())) await this.store.write(scheduleLookTransactions.repeated, {});
  }
}

const engines = [
  {
    engine: 'SQLite',
    processes: 1,
    isMissing: false,
    url: async () => `sqlite:${temporaryFolder()}/schedules.db`,
  },
  {
    engine: 'PostgreSQL',
    processes: 3,
    isMissing: postgres.isMissing,
    url: () => postgres.migratedDatabase(),
  },
];

describe.each(engines)('$engine with $processes processes', ({ processes, isMissing, url }) => {
  async function open(): Promise<{ all: Process[]; first: Process; agentId: string }> {
    const databaseUrl = await url();
    const all: Process[] = [];
    for (let i = 0; i < processes; i++) all.push(await Process.open(databaseUrl));
    const first = all[0]!;
    const made = { workspace: 'default', at: systemClock.wallMs() };
    const { id: agentId } = await first.store.write(agentTransactions.ensureDefault, made);
    return { all, first, agentId };
  }

  it.skipIf(isMissing)(
    'makes one call of each schedule that is due, and hears of each end once',
    async () => {
      const { all, first, agentId } = await open();
      const request = oneTimeRequest().parse({
        agent_id: agentId,
        phone_number: '+14155550123',
        scheduled_time: toInstant(systemClock.wallMs() - 1_000),
        retry_policy: { max_retries: 1, retry_delay: 1, retry_on: ['busy'] },
      });
      const { schedules } = first.callService;
      await Promise.all(Array.from({ length: MANY }, () => schedules.createOnce(PRINCIPAL, request, null)));
      for (const { callService } of all) callService.start();
      await first.until(({ calls }) => calls >= MANY);
      expect(await first.counts()).toEqual({ calls: MANY, executions: { in_progress: MANY } });

      const live = await first.store.read(scheduleLookTransactions.liveCalls, {});
      await Promise.all(
        live.map((callId, i) => all[i % processes]!.end(callId, i % 2 ? 'busy' : 'no_answer')),
      );
      // Half of them are tried again after a second; nobody is left in between.
      await first.until(({ calls }) => calls === MANY * 1.5);
      await first.until(({ executions }) => executions['failed'] === MANY);
      expect((await first.counts()).executions).toEqual({ failed: MANY, in_progress: MANY / 2 });
      expect(await first.store.read(scheduleLookTransactions.repeated, {})).toBe(0);
      for (const callId of await first.store.read(scheduleLookTransactions.liveCalls, {}))
        await first.end(callId, 'busy');
      await first.until(({ executions }) => executions['failed'] === MANY * 1.5);
      const done = await schedules.list(
        { workspace: 'default', status: ['failed'] },
        {
          order: 'newest',
          cursor: null,
          limit: 1_000,
        },
      );
      expect(done.items).toHaveLength(MANY);
    },
  );

  it.skipIf(isMissing)('stores, lists, changes and looks through recurring ones', async () => {
    const { first, agentId } = await open();
    const { schedules, health } = first.callService;
    const request = recurringRequest().parse({
      agent_id: agentId,
      phone_number: '+14155550123',
      cron_expression: '0 9 * * MON-FRI',
      timezone: 'Europe/London',
      name: 'Daily 100%',
      webhook_url: 'https://example.com/hook',
    });
    const made = await schedules.createRecurring(PRINCIPAL, request, null);
    expect(made.webhook_secret).toMatch(/^whsec_/);
    const { webhook_secret: _secret, ...shown } = made;
    expect(await schedules.get(PRINCIPAL, made.id)).toEqual(shown);
    const page = { order: 'next', cursor: null, limit: 10 } as const;
    const found = await schedules.list({ workspace: 'default', search: '100%', nextFrom: 0 }, page);
    expect(found.items.map(({ id }) => id)).toEqual([made.id]);
    expect((await schedules.list({ workspace: 'other' }, page)).items).toEqual([]);
    await schedules.pause(PRINCIPAL, made.id);
    expect((await schedules.list({ workspace: 'default' }, page)).items).toEqual([]);
    expect(await schedules.resume(PRINCIPAL, made.id)).toMatchObject({ status: 'scheduled' });
    expect(await health.report('default')).toMatchObject({
      status: 'healthy',
      scheduled_calls_pending: 1,
      scheduled_calls_total: 1,
      last_execution: null,
      next_execution: made.next_execution_time,
    });
    expect(await first.callService.handles.find(PRINCIPAL, made.id)).toMatchObject({ attempts: 0 });
    const { phone_number: phoneNumber } = made;
    const entry = {
      id: ids.next('sup'),
      workspace: 'default',
      phoneNumber,
      at: systemClock.wallMs(),
      reason: 'opt_out' as const,
      source: 'api' as const,
      note: null,
      callId: null,
      expiresAt: null,
    };
    await first.store.write(suppressionTransactions.add, { entry, kept: null });
    await first.suppressed({ workspace: 'default', phoneNumbers: [phoneNumber] });
    expect(await schedules.get(PRINCIPAL, made.id)).toMatchObject({ status: 'cancelled' });
    await schedules.cancel(PRINCIPAL, made.id, { hangUp: false, purge: true });
    await expect(schedules.get(PRINCIPAL, made.id)).rejects.toMatchObject({
      code: 'scheduled_call_not_found',
    });
  });
});
