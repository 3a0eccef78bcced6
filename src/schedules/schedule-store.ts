import { z } from 'zod';
import { keepAnswer, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import { requireProviders } from '#agents/definitions/require-providers.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { missingIn, missingWarnings, requireVariables } from '#agents/definitions/missing-variables.js';
import { requireCallingAgent } from '#agents/definitions/needed-variables.js';
import { addNotificationTarget } from '#webhooks/registrations/notification-target.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { toPage, type Cursor, type Page } from '#store/page.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { acceptNext, askAboutManualRun, type AcceptContext } from '#schedules/record/accept-schedule.js';
import { changeSchedule, type ChangeContext } from '#schedules/changes/schedule-change.js';
import {
  cancelSchedule,
  pauseSchedule,
  purgeSchedule,
  resumeSchedule,
  triggerSchedule,
} from '#schedules/changes/schedule-commands.js';
import type { DueContext } from '#schedules/runs/scheduling/due-execution.js';
import type { ExecutionOfRun } from '#schedules/runs/executions/execution-resource.js';
import { scheduleConditions, type ScheduleFilter, type ScheduleOrder } from './schedule-filter.js';
import type { ScheduleUpdate } from '#schedules/record/schedule-request.js';
import {
  scheduleResource,
  toWholeSchedule,
  type ScheduleRecord,
  type ScheduleResource,
  toTriggered,
  type Triggered,
} from './schedule-resource.js';
import {
  addExecution,
  findSchedule,
  insertSchedule,
  scheduleNotFound,
} from '#schedules/record/schedule-rows.js';
import { requireSettledSchedule } from '#schedules/runs/settling/settled-schedule.js';
import {
  hasAllEnds,
  openCalls,
  type CallEnd,
  type StoppedCalls,
} from '#schedules/runs/settling/waiting-calls.js';
import { ExecutionRow, ScheduleRow } from '#schedules/record/schedule.js';

/** A schedule by workspace and id. */
interface ScheduleKey {
  workspace: string;
  id: string;
}

/** A paused or cancelled schedule, and its calls. */
export type StoppedSchedule = ScheduleRecord & StoppedCalls;

/** The transactions of `Schedules`. An unknown schedule is the problem `scheduled_call_not_found`. */
export const scheduleTransactions = defineTransactions('schedules', {
  /**
   * Stores a schedule with its first execution, its notification target and the idempotent answer. A problem, such as
   * an unknown agent or a call window that never opens, stores none of them.
   */
  async create(
    tx,
    args: {
      schedule: ScheduleRow;
      target: { webhookId: string; secret: string } | null;
      answer: IdempotentAnswer | null;
      rules: PolicyRules;
      providers: KnownProviders;
    },
  ): Promise<ScheduleResource> {
    const { schedule, target, answer, rules } = args;
    const { id, workspace, webhook_url: url, created_at: at } = schedule;
    const { agent, needed } = await requireCallingAgent(tx, workspace, schedule.agent_id, 'agent_id');
    requireProviders(agent, args.providers);
    const missing = missingWarnings(missingIn(needed.names, schedule.customer_context));
    requireVariables(needed, missing);
    if (target && url !== null)
      await addNotificationTarget(tx, { ...target, workspace, ownerId: id, url }, at);
    await insertSchedule(tx, schedule);
    await addExecution(
      tx,
      schedule,
      { run: 1, attempt: 1, origin: 'schedule', reason: null, planned_at: schedule.next_run_at! },
      at,
    );
    await acceptNext(tx, schedule, { at, rules });
    const resource = toWholeSchedule(
      { schedule, agentName: agent.name },
      { webhookSecret: target?.secret ?? null, warnings: missing },
    );
    // The schema parses the stored answer, as it parses a sent response, so that both are equal to the byte.
    if (answer) await keepAnswer(tx, { ...answer, body: JSON.stringify(scheduleResource.parse(resource)) });
    return resource;
  },

  /** One schedule with the name of its agent (null if the agent is gone). */
  async get(tx, args: ScheduleKey): Promise<ScheduleRecord> {
    const row = await tx.get(
      `${SELECT} where schedules.id = ? and schedules.workspace = ?`,
      args.id,
      args.workspace,
    );
    if (!row) throw scheduleNotFound();
    return toRecord(row);
  },

  /** A page of schedules. */
  async list(
    tx,
    args: { filter: ScheduleFilter; order: ScheduleOrder; cursor: Cursor | null; limit: number },
  ): Promise<Page<ScheduleRecord>> {
    const { where, orderBy, values } = scheduleConditions(args.filter, args.order, args.cursor);
    const rows = await tx.all(
      `${SELECT} where ${where} order by ${orderBy} limit ?`,
      ...values,
      args.limit + 1,
    );
    // `createdAt` of a cursor holds the instant by which the page is sorted.
    return toPage(rows.map(toRecord), args.limit, ({ schedule }) => ({
      createdAt: args.order === 'next' ? (schedule.next_run_at ?? 0) : schedule.created_at,
      id: schedule.id,
    }));
  },

  /** See `changeSchedule`. */
  async update(
    tx,
    args: ScheduleKey & { update: ScheduleUpdate; context: ChangeContext },
  ): Promise<ScheduleRecord & { webhookSecret: string | null }> {
    const found = await requireSettledSchedule(tx, { ...args, at: args.context.at });
    const { schedule, webhookSecret } = await changeSchedule(tx, found, args.update, args.context);
    return { ...(await withAgentName(tx, schedule)), webhookSecret };
  },

  /** Ids of the open calls of a schedule; empty for a schedule of another workspace. */
  async openCalls(tx, args: ScheduleKey): Promise<string[]> {
    const found = await findSchedule(tx, args);
    return found ? openCalls(tx, found.id) : [];
  },

  /** See `pauseSchedule`. Returns null without effect if `ends` misses an open call; see `stopWithCalls`. */
  async pause(
    tx,
    args: ScheduleKey & { at: number; ends: readonly CallEnd[] },
  ): Promise<StoppedSchedule | null> {
    const found = await requireSettledSchedule(tx, args);
    if (!(await hasAllEnds(tx, found.id, args.ends))) return null;
    const { schedule, ...calls } = await pauseSchedule(tx, found, args);
    return { ...(await withAgentName(tx, schedule)), ...calls };
  },

  /** See `resumeSchedule`. */
  async resume(tx, args: ScheduleKey & { at: number }): Promise<ScheduleRecord> {
    return withAgentName(tx, await resumeSchedule(tx, await requireSettledSchedule(tx, args), args.at));
  },

  /** See `cancelSchedule`; `purge` also deletes the schedule. Returns null as `pause` does. */
  async cancel(
    tx,
    args: ScheduleKey & { at: number; ends: readonly CallEnd[]; purge: boolean },
  ): Promise<StoppedSchedule | null> {
    const found = await requireSettledSchedule(tx, args);
    if (!(await hasAllEnds(tx, found.id, args.ends))) return null;
    const { schedule, ...calls } = await cancelSchedule(tx, found, args);
    const record = await withAgentName(tx, schedule);
    if (args.purge) await purgeSchedule(tx, schedule, args.at);
    return { ...record, ...calls };
  },

  /** See `triggerSchedule`. Also asks the policy about the call, and stores the idempotent answer. */
  async trigger(
    tx,
    args: ScheduleKey &
      Pick<DueContext, 'at' | 'defaults'> &
      AcceptContext & { answer: IdempotentAnswer | null },
  ): Promise<Triggered> {
    const found = await requireSettledSchedule(tx, args);
    const { schedule, execution } = await triggerSchedule(tx, found, args);
    const triggered = toTriggered(schedule, execution);
    await askAboutManualRun(tx, schedule, { ...args, callId: triggered.call_id });
    if (args.answer) await keepAnswer(tx, { ...args.answer, body: JSON.stringify(triggered) });
    return triggered;
  },

  /**
   * Executions of a schedule by planned time, oldest first, each with all attempts of its run. `createdAt` of the
   * cursor holds the planned time.
   */
  async history(
    tx,
    args: ScheduleKey & { cursor: Cursor | null; limit: number; after?: number; before?: number },
  ): Promise<Page<ExecutionOfRun>> {
    const found = await tx.get(
      'select id from schedules where id = ? and workspace = ?',
      args.id,
      args.workspace,
    );
    if (!found) throw scheduleNotFound();
    const { cursor } = args;
    const rows = await tx.all(
      `select * from executions where schedule_id = ? and planned_at >= ? and planned_at < ?
         and (planned_at > ? or (planned_at = ? and id > ?))
       order by planned_at, id limit ?`,
      args.id,
      args.after ?? 0,
      args.before ?? Number.MAX_SAFE_INTEGER,
      cursor?.createdAt ?? -1,
      cursor?.createdAt ?? -1,
      cursor?.id ?? '',
      args.limit + 1,
    );
    const executions = rows.map((row) => ExecutionRow.parse(row));
    const page = toPage(executions, args.limit, ({ planned_at, id }) => ({ createdAt: planned_at, id }));
    const attemptsOf = await attemptsByRun(tx, args.id, page.items);
    const items = page.items.map((execution) => ({
      execution,
      attempts: attemptsOf.get(execution.run) ?? [],
    }));
    return { ...page, items };
  },
});

/** All attempts of the given executions' runs, in order. */
async function attemptsByRun(
  tx: Tx,
  scheduleId: string,
  executions: readonly ExecutionRow[],
): Promise<Map<number, ExecutionRow[]>> {
  const runs = [...new Set(executions.map(({ run }) => run))];
  const attempts = new Map<number, ExecutionRow[]>(runs.map((run) => [run, []]));
  if (runs.length === 0) return attempts;
  const rows = await tx.all(
    `select * from executions where schedule_id = ? and run in (${placeholders(runs)})
     order by run, attempt`,
    scheduleId,
    ...runs,
  );
  for (const row of rows) {
    const execution = ExecutionRow.parse(row);
    attempts.get(execution.run)?.push(execution);
  }
  return attempts;
}

/** Selects schedules with the names of their agents. */
const SELECT = `select schedules.*, agents.name as agent_name from schedules
  left join agents on agents.id = schedules.agent_id`;

const AgentName = z.object({ agent_name: z.string().nullable() });

function toRecord(row: unknown): ScheduleRecord {
  return { schedule: ScheduleRow.parse(row), agentName: AgentName.parse(row).agent_name };
}

/** A schedule with the name of its agent; null if the agent is gone. */
async function withAgentName(tx: Tx, schedule: ScheduleRow): Promise<ScheduleRecord> {
  const row = await tx.get('select name as agent_name from agents where id = ?', schedule.agent_id);
  return { schedule, agentName: row ? AgentName.parse(row).agent_name : null };
}
