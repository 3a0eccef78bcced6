import { allOf, anyOf, inPage, type Condition, type CreationFilter } from '#store/statements/conditions.js';
import type { Cursor } from '#store/page.js';
import { IS_VISIBLE } from '#calls/record/read-call.js';
import type { WireStatus } from '#calls/resources/call-resource.js';
import { occursIn } from '#store/statements/search.js';
import type { SqlValue } from '#store/transaction.js';

/**
 * The filters of a list of calls (`GET /api/calls`). All given filters must match; several values of one filter mean
 * "any of". Instants are in epoch milliseconds.
 */
export interface CallFilter extends CreationFilter {
  workspace: string;
  /** Statuses as the API shows them. */
  status?: readonly WireStatus[];
  direction?: readonly string[];
  agentId?: readonly string[];
  batchId?: readonly string[];
  scheduleId?: readonly string[];
  /** The call that is being transferred: finds the calls to the people who may take it. */
  parentCallId?: readonly string[];
  toPhone?: readonly string[];
  fromPhone?: readonly string[];
  /** The number of either side. */
  phone?: readonly string[];
  endedReason?: readonly string[];
  minDurationSeconds?: number;
  /** True: only calls that are not over; false: only calls that are over. */
  live?: boolean;
  /** True: only calls that need attention, see {@link NEEDS_ATTENTION}; false: only the others. */
  attention?: boolean;
  /** Text to find in the id, a number, the name or the metadata. */
  search?: string;
}

/**
 * Turns a filter and a cursor into the SQL condition of `callTransactions.list`, which orders calls newest first.
 * @param now epoch milliseconds; the duration of a call that is not over runs up to it
 */
export function callFilter(
  filter: CallFilter,
  cursor: Cursor | null,
  now: number,
): { where: string; values: SqlValue[] } {
  const { minDurationSeconds, live, attention } = filter;
  return allOf([
    ['workspace = ?', filter.workspace],
    // No call of a batch that is still being loaded.
    [IS_VISIBLE],
    filter.status === undefined ? null : inStatuses(filter.status),
    anyOf('direction', filter.direction),
    anyOf('agent_id', filter.agentId),
    anyOf('batch_id', filter.batchId),
    anyOf('schedule_id', filter.scheduleId),
    anyOf('parent_call_id', filter.parentCallId),
    anyOf('to_phone', filter.toPhone),
    anyOf('from_phone', filter.fromPhone),
    anyOf('ended_reason', filter.endedReason),
    eitherSide(filter.phone),
    minDurationSeconds === undefined ? null : [`${DURATION_MS} >= ?`, now, minDurationSeconds * 1000],
    live === undefined ? null : [live ? 'ended_at is null' : 'ended_at is not null'],
    attention === undefined ? null : [attention ? NEEDS_ATTENTION : `not ${NEEDS_ATTENTION}`],
    occursIn(['id', 'to_phone', 'from_phone', "coalesce(name, '')", 'metadata'], filter.search),
    ...inPage(filter, cursor),
  ]);
}

/** A reply that takes longer counts as slow. */
const SLOW_REPLY_MS = 3_000;

/** SQL condition: a call that failed, ended in silence or with an opt-out, missed its purpose, or had a slow reply. */
const NEEDS_ATTENTION = `(status = 'failed' or coalesce(ended_reason, '') = 'silence_timeout'
  or coalesce(outcome, '') like '%"resolutionAchieved":false%'
  or coalesce(outcome, '') like '%"kind":"suppress"%'
  or exists (select 1 from call_turns where call_turns.call_id = calls.id and total_ms > ${SLOW_REPLY_MS}))`;

/**
 * SQL: the duration in milliseconds, from the answer like the API's (`durationSeconds`). Its parameter is the current
 * time.
 */
const DURATION_MS = 'case when answered_at is null then 0 else coalesce(ended_at, ?) - answered_at end';

/**
 * The condition for some statuses of the API. `scheduled` and `queued` are one stored status (`wireStatus`): a queued
 * call with a time is scheduled.
 */
function inStatuses(shown: readonly WireStatus[]): Condition {
  const storedAsShown = shown.filter((status) => status !== 'scheduled' && status !== 'queued');
  const [storedStatusSql, ...values] = anyOf('status', storedAsShown) ?? [null];
  const alternatives = [
    storedStatusSql,
    shown.includes('scheduled') ? `status = 'queued' and scheduled_at is not null` : null,
    shown.includes('queued') ? `status = 'queued' and scheduled_at is null` : null,
  ];
  return [`(${alternatives.filter((condition) => condition !== null).join(' or ')})`, ...values];
}

/** The condition that one of the numbers called or was called; null without numbers. */
function eitherSide(phones: readonly string[] | undefined): Condition | null {
  const calledIs = anyOf('to_phone', phones);
  const callerIs = anyOf('from_phone', phones);
  if (!calledIs || !callerIs) return null;
  const [calledSql, ...numbers] = calledIs;
  return [`(${calledSql} or ${callerIs[0]})`, ...numbers, ...numbers];
}
