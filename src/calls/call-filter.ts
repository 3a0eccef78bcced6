import type { Cursor } from '../store/page.js';
import { occursIn } from '../store/search.js';
import type { SqlValue } from '../store/unit.js';

/** What a list of calls may be narrowed to; several values of one filter mean "any of". Instants are epoch ms. */
export interface CallFilter {
  workspace: string;
  status?: readonly string[];
  direction?: readonly string[];
  agentId?: readonly string[];
  batchId?: readonly string[];
  scheduleId?: readonly string[];
  toPhone?: readonly string[];
  fromPhone?: readonly string[];
  /** Either side. */
  phone?: readonly string[];
  endedReason?: readonly string[];
  createdAfter?: number;
  createdBefore?: number;
  minDurationSeconds?: number;
  /** Only calls that are not over. */
  live?: boolean;
  /** In the id, a number, the name or a metadata value. */
  search?: string;
}

interface Condition {
  where: string;
  values: SqlValue[];
}

/** A filter and a cursor as the `where` of a select over `calls`, newest first. */
export function callFilter(filter: CallFilter, cursor: Cursor | null): Condition {
  const conditions = [
    condition('workspace = ?', filter.workspace),
    // The calls of a batch are there when all of them are.
    condition(`(batch_id is null or batch_id not in (select id from batches where status = 'loading'))`),
    anyOf('status', filter.status),
    anyOf('direction', filter.direction),
    anyOf('agent_id', filter.agentId),
    anyOf('batch_id', filter.batchId),
    anyOf('schedule_id', filter.scheduleId),
    anyOf('to_phone', filter.toPhone),
    anyOf('from_phone', filter.fromPhone),
    anyOf('ended_reason', filter.endedReason),
    eitherSide(filter.phone),
    filter.createdAfter !== undefined && condition('created_at >= ?', filter.createdAfter),
    filter.createdBefore !== undefined && condition('created_at < ?', filter.createdBefore),
    filter.minDurationSeconds !== undefined &&
      condition('ended_at - answered_at >= ?', filter.minDurationSeconds * 1000),
    filter.live === true && condition('ended_at is null'),
    filter.live === false && condition('ended_at is not null'),
    search(filter.search),
    cursor &&
      condition(
        '(created_at < ? or (created_at = ? and id < ?))',
        cursor.createdAt,
        cursor.createdAt,
        cursor.id,
      ),
  ].filter((part): part is Condition => Boolean(part));
  return {
    where: conditions.map((part) => part.where).join(' and '),
    values: conditions.flatMap((part) => part.values),
  };
}

function condition(where: string, ...values: SqlValue[]): Condition {
  return { where, values };
}

function anyOf(column: string, values: readonly string[] | undefined): Condition | null {
  if (!values || values.length === 0) return null;
  return condition(`${column} in (${values.map(() => '?').join(', ')})`, ...values);
}

function eitherSide(phones: readonly string[] | undefined): Condition | null {
  const to = anyOf('to_phone', phones);
  const from = anyOf('from_phone', phones);
  return to && from && condition(`(${to.where} or ${from.where})`, ...to.values, ...from.values);
}

function search(text: string | undefined): Condition | null {
  if (!text) return null;
  const columns = ['id', 'to_phone', 'from_phone', "coalesce(name, '')", 'metadata'];
  return condition(...occursIn(columns, text));
}
