import { BUILT_IN_ONLY } from '#test/support/known-providers.js';
import { describe, expect, it } from 'vitest';
import { agentTransactions } from '#agents/definitions/agent-store.js';
import { createTxContexts } from '#calls/endings/tx-contexts.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { toInstant } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { oneTimeRequest } from '#schedules/record/schedule-request.js';
import { RUNS_BEGUN, RUNS_OVER } from '#schedules/runs/executions/run-counters.js';
import { schedulerTransactions } from '#schedules/runs/scheduling/scheduler-store.js';
import { ScheduleService } from '#schedules/schedule-service.js';
import { StoreMeter } from '#store/store-meter.js';
import { TRUSTED } from '#test/support/trusted-clock.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { LENIENT_RULES } from '#test/support/lenient-rules.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { scheduleLookTransactions } from '#test/support/schedule-look-transactions.js';
import { openTestStore } from '#test/support/store.js';

const DEFAULTS = {
  fromNumber: '+15550000000',
  carrierName: 'scripted',
  recordStorage: 'local' as const,
  providers: BUILT_IN_ONLY,
};

describe.each(engines)('the metrics of schedules on %s', (engine) => {
  /** Schedules with stopped loops: the test takes every step. */
  async function open() {
    const clock = new FakeClock();
    const ids = createIds(clock);
    const meter = new StoreMeter();
    const store = await openTestStore({
      clock,
      meter,
      ...(await databaseOn(engine)),
    });
    const callService = new ScheduleService({
      store,
      clock,
      clockTrust: TRUSTED,
      ids,
      log: createMemoryLog().log,
      callService: {
        calls: { defaults: DEFAULTS, disconnect: async () => {} },
        txContexts: createTxContexts({ clock, links: () => ({ recordingUrl: '', transcriptUrl: '' }) }),
        announceEnd: () => {},
        wakeDialler: () => {},
        onCallEnd: () => {},
        suppressionEnforcer: { onSuppressed: () => {} },
      },
      rules: LENIENT_RULES,
      settings: { defaultTimezone: 'UTC', planningHorizonDays: 3_653, timeZoneVersion: 'test' },
      checkReceiver: async () => {},
    });
    const { id: agent_id } = await store.write(agentTransactions.ensureDefault, {
      workspace: PRINCIPAL.workspace,
      at: clock.wallMs(),
    });
    const claim = () => {
      const now = clock.wallMs();
      return store.write(schedulerTransactions.claim, { now, leaseUntil: now + 15_000, limit: 10 });
    };
    return {
      clock,
      callService,
      counters: meter.counters,
      /** Plans a run in `inSeconds`. */
      async plan(inSeconds: number, more: object = {}) {
        const scheduled_time = toInstant(clock.wallMs() + inSeconds * 1_000);
        const request = { agent_id, phone_number: '+14155550123', scheduled_time, ...more };
        await callService.schedules.createOnce(PRINCIPAL, oneTimeRequest().parse(request), null);
      },
      async runDue() {
        const at = clock.wallMs();
        const now = { at, defaults: DEFAULTS, timeZoneVersion: 'test' };
        for (const { id: executionId, schedule_id: scheduleId } of await claim())
          await store.write(schedulerTransactions.performDue, { executionId, scheduleId, ...now });
      },
      async giveUpDue() {
        const at = clock.wallMs();
        for (const { id: executionId, schedule_id: scheduleId } of await claim())
          await store.write(schedulerTransactions.giveUp, { executionId, scheduleId, status: 'pending', at });
      },
      /** Ends every live call, and settles it twice. */
      async endAll(reason: EndedReason) {
        for (const callId of await store.read(scheduleLookTransactions.liveCalls, {})) {
          const at = clock.wallMs();
          await store.write(scheduleLookTransactions.end, { callId, reason, at });
          for (let time = 0; time < 2; time += 1)
            await store.write(schedulerTransactions.settle, { callId, at });
        }
      },
    };
  }

  it('are runs that begin in time or late, and how each of them ended, once', async () => {
    const { clock, counters, plan, runDue, endAll } = await open();
    await plan(10, { retry_policy: { max_retries: 1, retry_delay: 60, retry_on: ['busy'] } });
    await clock.advance(15_000);
    await runDue();
    expect(counters.of(RUNS_BEGUN)).toEqual([{ labels: { timing: 'on_time' }, value: 1 }]);
    await endAll('busy');
    expect(counters.of(RUNS_OVER)).toEqual([]);
    await clock.advance(65_001);
    await runDue();
    await endAll('busy');
    expect(counters.of(RUNS_BEGUN)).toContainEqual({ labels: { timing: 'late' }, value: 1 });
    expect(counters.of(RUNS_OVER)).toEqual([{ labels: { result: 'failed' }, value: 1 }]);
  });

  it('are missed runs and unreadable ones', async () => {
    const { clock, counters, plan, runDue, giveUpDue } = await open();
    await plan(10, { grace_seconds: 5 });
    await clock.advance(16_000);
    await runDue();
    expect(counters.of(RUNS_OVER)).toEqual([{ labels: { result: 'missed' }, value: 1 }]);
    await plan(1);
    await clock.advance(1_000);
    await giveUpDue();
    expect(counters.of(RUNS_OVER)).toContainEqual({ labels: { result: 'failed' }, value: 1 });
    expect(counters.of(RUNS_BEGUN)).toEqual([]);
  });

  it('is the delay of the oldest unstarted run', async () => {
    const { clock, callService, plan, runDue } = await open();
    await plan(10);
    await plan(12);
    expect(await callService.lagMs()).toBe(0);
    await clock.advance(13_000);
    expect(await callService.lagMs()).toBe(3_000);
    await runDue();
    expect(await callService.lagMs()).toBe(0);
  });
});
