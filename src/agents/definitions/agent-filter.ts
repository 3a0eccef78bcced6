import { anyOf, type Condition, type CreationFilter } from '#store/statements/conditions.js';
import { occursIn } from '#store/statements/search.js';

/** Which agents a list shows; instants are epoch milliseconds. */
export interface AgentFilter extends CreationFilter {
  workspace: string;
  status?: readonly string[] | undefined;
  /** In the name or the id. */
  search?: string | undefined;
}

/** A filter as conditions of a list of `agents`. */
export function agentConditions(filter: AgentFilter): (Condition | null)[] {
  return [
    ['workspace = ? and deleted_at is null', filter.workspace],
    anyOf('status', filter.status),
    occursIn(['name', 'id'], filter.search),
  ];
}
