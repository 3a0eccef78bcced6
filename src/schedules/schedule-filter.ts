import { allOf, anyOf, inPage, type Condition, type CreationFilter } from '#store/statements/conditions.js';
import type { Cursor } from '#store/page.js';
import { occursIn } from '#store/statements/search.js';
import type { SqlValue } from '#store/transaction.js';

/** Filter of a list of schedules; several values of one field mean "any of". Instants are epoch milliseconds. */
export interface ScheduleFilter extends CreationFilter {
  workspace: string;
  status?: readonly string[] | undefined;
  kind?: readonly string[] | undefined;
  agentId?: readonly string[] | undefined;
  phoneNumber?: readonly string[] | undefined;
  name?: readonly string[] | undefined;
  /** The range of the next run: from `nextFrom` on, before `nextTo`. Either leaves out paused schedules. */
  nextFrom?: number | undefined;
  nextTo?: number | undefined;
  /** Searched in id, number, name and description. */
  search?: string | undefined;
}

/**
 * The order of a list. `newest`: by creation, newest first. `next`: by the next run, soonest first, without paused
 * schedules and schedules that have no next run.
 */
export type ScheduleOrder = 'newest' | 'next';

/** The columns in which {@link ScheduleFilter.search} is looked for. */
const SEARCHED_COLUMNS = [
  'schedules.id',
  'schedules.phone_number',
  "coalesce(schedules.name, '')",
  "coalesce(schedules.description, '')",
];

/** A filter, an order and a cursor as the clauses of a select over `schedules`. */
export function scheduleConditions(
  filter: ScheduleFilter,
  order: ScheduleOrder,
  cursor: Cursor | null,
): { where: string; orderBy: string; values: SqlValue[] } {
  const { where, values } = allOf([
    ['schedules.workspace = ?', filter.workspace],
    anyOf('schedules.status', filter.status),
    anyOf('schedules.kind', filter.kind),
    anyOf('schedules.agent_id', filter.agentId),
    anyOf('schedules.phone_number', filter.phoneNumber),
    anyOf('schedules.name', filter.name),
    // A paused schedule shows no next run.
    order === 'next' || filter.nextFrom !== undefined || filter.nextTo !== undefined
      ? [`schedules.next_run_at is not null and schedules.status <> 'paused'`]
      : null,
    filter.nextFrom === undefined ? null : ['schedules.next_run_at >= ?', filter.nextFrom],
    filter.nextTo === undefined ? null : ['schedules.next_run_at < ?', filter.nextTo],
    // Only the range of creation: the cursor depends on the order.
    ...inPage(filter, null, 'schedules'),
    occursIn(SEARCHED_COLUMNS, filter.search),
    cursor && after(order, cursor),
  ]);
  return {
    where,
    orderBy:
      order === 'next'
        ? 'schedules.next_run_at, schedules.id'
        : 'schedules.created_at desc, schedules.id desc',
    values,
  };
}

/** The condition of the rows after a cursor, whose `createdAt` holds the value of the column that orders the list. */
function after(order: ScheduleOrder, { createdAt, id }: Cursor): Condition {
  const [column, comparison] =
    order === 'next' ? ['schedules.next_run_at', '>'] : ['schedules.created_at', '<'];
  return [
    `(${column} ${comparison} ? or (${column} = ? and schedules.id ${comparison} ?))`,
    createdAt,
    createdAt,
    id,
  ];
}
