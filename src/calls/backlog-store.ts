import { z } from 'zod';
import { COUNT_LIMIT, countUpToLimit } from '#store/statements/counted.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { LANES, type Lane } from '#calls/queue/dial-lane.js';
import { IS_NOT_IN_DIAL_QUEUE } from '#calls/queue/dial-attempt.js';

// Counts the work that waits and the calls of one process, for the gauges of the `/metrics` page (`callMetrics`).

/** The length of a queue, counted up to {@link COUNT_LIMIT}, and the due time of its first entry. */
export interface Backlog {
  count: number;
  /** Epoch milliseconds; null for an empty queue. */
  oldestDueAt: number | null;
}

/**
 * The stages of a call that a process carries: the carrier is being asked to dial, the phone rings, the call is
 * answered.
 */
export const CARRIED_STATES = ['dialling', 'ringing', 'live'] as const;

/** How many calls a process carries in one direction and stage. */
const Carried = z.object({
  direction: z.enum(['outbound', 'inbound']),
  state: z.enum(CARRIED_STATES),
  count: z.int(),
});
export type Carried = z.output<typeof Carried>;

/** The queues of the calls module, and the calls that one process carries. */
export interface CallsBacklog {
  /** Due dial attempts, by priority class. */
  dialling: Record<Lane, Backlog>;
  /** Jobs of `AfterCall` (recordings and analyses) that wait, also those that wait for a retry. */
  afterCall: Backlog;
  /** Recordings on the disk that wait for their upload to object storage, and their bytes. */
  recordingsToMove: { count: number; bytes: number };
  /** The calls of one process; combinations without a call are left out. */
  carried: Carried[];
}

/** The transaction of `CallService.backlog`. */
export const backlogTransactions = defineTransactions('call_backlogs', {
  /** Reads only the fronts of the queues and the calls of one process, so the cost does not grow with the backlog. */
  async read(tx, args: { nodeId: string; now: number }): Promise<CallsBacklog> {
    const lanes = LANES.map(async (lane) => [lane, await dialBacklog(tx, lane, args.now)] as const);
    return {
      dialling: Object.fromEntries(await Promise.all(lanes)) as Record<Lane, Backlog>,
      afterCall: await backlogOf(
        tx,
        `jobs where status = 'pending' and kind in ('recording', 'analysis')`,
        [],
      ),
      recordingsToMove: await recordingsToMove(tx),
      carried: await carriedBy(tx, args.nodeId),
    };
  },
});

function dialBacklog(tx: Tx, lane: Lane, now: number): Promise<Backlog> {
  const due = `dial_attempts where status = 'pending' and lane = '${lane}' and due_at <= ?`;
  return backlogOf(tx, due, [now]);
}

/** @param rows the rows to count (SQL after `from`); their `due_at` must be indexed */
async function backlogOf(tx: Tx, rows: string, values: number[]): Promise<Backlog> {
  const first = await tx.get(`select due_at from ${rows} order by due_at limit 1`, ...values);
  const oldestDueAt = typeof first?.['due_at'] === 'number' ? first['due_at'] : null;
  return { count: await countUpToLimit(tx, `${rows} order by due_at`, values), oldestDueAt };
}

async function recordingsToMove(tx: Tx): Promise<CallsBacklog['recordingsToMove']> {
  const row = await tx.get(
    `select count(*) as number, coalesce(sum(size_bytes), 0) as bytes from (
       select call_id from jobs where kind = 'upload'
       order by due_at limit ${COUNT_LIMIT}) as waiting
     join recordings on recordings.call_id = waiting.call_id
     where recordings.status = 'ready' and recordings.storage = 'local'`,
  );
  return { count: Number(row?.['number']), bytes: Number(row?.['bytes']) };
}

/**
 * Counts the calls of a process. The stage follows from the columns: only a call that was placed has a carrier's id.
 */
async function carriedBy(tx: Tx, nodeId: string): Promise<Carried[]> {
  const rows = await tx.all(
    `select direction, state, count(*) as count from (
       select direction, case
           when answered_at is not null then 'live'
           when direction = 'inbound' then 'ringing'
           when provider_call_id is not null then 'ringing'
           else 'dialling' end as state
       from calls where ended_at is null and node_id = ? and ${IS_NOT_IN_DIAL_QUEUE}) as carried
     group by direction, state`,
    nodeId,
  );
  return rows.map((row) => Carried.parse(row));
}
