import { anyOf, type Condition, type CreationFilter } from '#store/statements/conditions.js';
import { occursIn } from '#store/statements/search.js';

/** The filters of a list of agents; instants are in epoch milliseconds. */
export interface AgentFilter extends CreationFilter {
  workspace: string;
  status?: readonly string[] | undefined;
  /** Text that occurs in the name or the id. */
  search?: string | undefined;
}

/** The SQL conditions of a filter on the table `agents`, for the list of agents in `agent-store.ts`. */
export function agentConditions(filter: AgentFilter): (Condition | null)[] {
  return [
    ['workspace = ? and deleted_at is null', filter.workspace],
    anyOf('status', filter.status),
    occursIn(['name', 'id'], filter.search),
  ];
}
