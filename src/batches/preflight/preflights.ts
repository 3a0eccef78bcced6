import type { z } from 'zod';
import type { Principal } from '#access/keys/principal.js';
import { toInstant, toInstantOrNull, type Clock } from '#kernel/time/clock.js';
import { decisionTransactions } from '#policy/decisions/decision-store.js';
import type { NumberHistory } from '#policy/decisions/number-history.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import type { BatchHeader } from '#batches/intake/batch-request.js';
import type { Intake, IntakeRecipient } from '#batches/intake/intake.js';
import type { ForecastTask, ListedRow, Forecast, ListedRows } from './preflight.js';
import type { preflightResource } from './preflight-resource.js';
import { preflightTransactions } from './preflight-store.js';
import { readScheduledTime } from '#calls/requests/scheduled-time.js';

/** The expected duration of a talk in a workspace without answered calls. */
const DEFAULT_TALK_SECONDS = 60;
/** The expected time of ringing, in addition to the talk. */
const RING_SECONDS = 8;

/** The dependencies of {@link Preflights}. */
export interface PreflightsContext {
  store: Store;
  clock: Clock;
  /** Runs the simulation on the batch thread. */
  reader: { forecast(task: ForecastTask): Promise<Forecast> };
  settings: {
    defaultTimezone: string;
    planningHorizonDays: number;
    rules: PolicyRules;
    /** The most calls that are started per second. */
    callsPerSecond: number;
    maxConcurrentCalls: number;
  };
}

/** Forecasts batches without creating or dialling anything, for `POST /api/batches/preflight`. */
export class Preflights {
  readonly #parts: PreflightsContext;

  constructor(parts: PreflightsContext) {
    this.#parts = parts;
  }

  /** The forecast of a batch. @throws Problem `invalid_time`, `agent_not_found`, as creating the batch would */
  async forecast(principal: Principal, intake: Intake): Promise<z.infer<typeof preflightResource>> {
    const { store, clock, reader, settings } = this.#parts;
    const { workspace } = principal;
    const { header } = intake;
    const now = clock.wallMs();
    const { agent_id: agentId } = header;
    const scheduledAt = this.#scheduledAt(header, now);
    const needed =
      agentId === undefined ? [] : await store.read(preflightTransactions.neededBy, { workspace, agentId });
    const experience = await store.read(preflightTransactions.experience, { workspace });
    const talkSeconds = experience?.talkSeconds ?? DEFAULT_TALK_SECONDS;
    const maxConcurrency = Math.min(header.max_concurrency, settings.maxConcurrentCalls);
    const { callsPerSecond, rules } = settings;
    const result = await reader.forecast({
      now,
      scheduledAt,
      maxConcurrency,
      callsPerSecond,
      rules,
      window: header.call_window ?? null,
      callMs: Math.round((talkSeconds + RING_SECONDS) * 1_000),
      slices: intake.slices,
      needed,
      histories: await this.#histories(workspace, intake, now),
    });
    const { plan } = result;
    return {
      object: 'batch_preflight',
      total_numbers: intake.total + intake.bad.length,
      valid: intake.total - intake.duplicates,
      callable_numbers: plan.calls,
      columns: intake.columns,
      invalid: { count: intake.bad.length, rows: intake.bad },
      duplicates: rowsOut(result.duplicates),
      suppressed: rowsOut(result.suppressed),
      refused: rowsOut(result.refused),
      deferred: rowsOut(result.deferred),
      warnings: [...intake.warnings, ...result.missing],
      hours: plan.hours.map((hour) => ({
        starts_at: toInstant(hour.startsAt),
        calls: hour.calls,
        peak_concurrency: hour.peakConcurrency,
      })),
      scheduled_at: toInstant(scheduledAt),
      first_call_at: toInstantOrNull(plan.firstCallAt),
      projected_finish: toInstantOrNull(plan.finishesAt),
      peak_concurrency: plan.peakConcurrency,
      unplanned_numbers: plan.left,
      expected_cost_usd: Math.round(plan.calls * (experience?.costUsd ?? 0) * 1_000_000) / 1_000_000,
      assumptions: {
        talk_seconds: Math.round(talkSeconds),
        ring_seconds: RING_SECONDS,
        cost_usd_per_call: experience?.costUsd ?? 0,
        calls_looked_at: experience?.calls ?? 0,
        max_concurrency: maxConcurrency,
        calls_per_second: callsPerSecond,
      },
    };
  }

  /** The time of the batch in epoch milliseconds; now if it names none. */
  #scheduledAt({ scheduled_time: written, timezone }: BatchHeader, now: number): number {
    const { defaultTimezone, planningHorizonDays: horizonDays } = this.#parts.settings;
    return written === undefined
      ? now
      : readScheduledTime(written, timezone ?? defaultTimezone, { now, horizonDays });
  }

  /** The histories of all numbers, read slice by slice. */
  async #histories(workspace: string, { slices }: Intake, now: number): Promise<Map<string, NumberHistory>> {
    const histories = new Map<string, NumberHistory>();
    for (const { text } of slices) {
      const phoneNumbers = (JSON.parse(text) as IntakeRecipient[]).map((recipient) => recipient.phone_number);
      const slice = await this.#parts.store.read(decisionTransactions.histories, {
        workspace,
        phoneNumbers,
        now,
      });
      for (const [number, history] of slice) histories.set(number, history);
    }
    return histories;
  }
}

function rowsOut({ count, first }: ListedRows) {
  return { count, rows: first.map(rowOut) };
}

function rowOut({ row, phoneNumber, reason, until, message }: ListedRow) {
  return { row, phone_number: phoneNumber, reason, until: toInstantOrNull(until), message };
}
