import { allOf, anyOf, inPage } from '../store/conditions.js';
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
  return allOf([
    ['workspace = ? and deleted_at is null', filter.workspace],
    anyOf('status', filter.status),
    occursIn(['name', 'id'], filter.search),
    ...inPage(filter, cursor),
  ]);
}
