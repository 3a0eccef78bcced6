import type { Cursor } from '../store/page.js';
import { occursIn } from '../store/search.js';
import type { SqlValue } from '../store/unit.js';

/** Which agents a list shows; instants are epoch milliseconds. */
export interface AgentFilter {
  workspace: string;
  status?: readonly string[] | undefined;
  /** In the name or the id. */
  search?: string | undefined;
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
}

/** A filter and a cursor as the `where` of a select over `agents`, newest first. */
export function agentConditions(
  filter: AgentFilter,
  cursor: Cursor | null,
): { where: string; values: SqlValue[] } {
  const parts: [string, ...SqlValue[]][] = [['workspace = ? and deleted_at is null', filter.workspace]];
  if (filter.status) parts.push([`status in (${filter.status.map(() => '?').join(', ')})`, ...filter.status]);
  if (filter.search) parts.push(occursIn(['name', 'id'], filter.search));
  if (filter.createdAfter !== undefined) parts.push(['created_at >= ?', filter.createdAfter]);
  if (filter.createdBefore !== undefined) parts.push(['created_at < ?', filter.createdBefore]);
  if (cursor) {
    parts.push([
      '(created_at < ? or (created_at = ? and id < ?))',
      cursor.createdAt,
      cursor.createdAt,
      cursor.id,
    ]);
  }
  return {
    where: parts.map(([where]) => where).join(' and '),
    values: parts.flatMap(([, ...values]) => values),
  };
}
