import { z } from 'zod';
import { jsonColumn } from '#store/statements/columns.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions } from '#store/transaction.js';
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from './event-types.js';

/** An event of the outbox, as `OutboxWatch` reads it for the live stream. Its type is one of {@link STATE_TYPES}. */
const LoggedEvent = z.object({
  id: z.string(),
  workspace: z.string(),
  type: z.enum(EVENT_TYPE_NAMES),
  created_at: z.number(),
  body: jsonColumn(z.object({ data: z.record(z.string(), z.unknown()) })),
});
export type LoggedEvent = z.infer<typeof LoggedEvent>;

/**
 * The types of events that the live stream reads: changes of status of calls and batches, and calls of tools. All
 * others (group `data`) are about conversations, with bodies of up to 10 MB.
 */
const STATE_TYPES = EVENT_TYPE_NAMES.filter((type: EventType) => EVENT_TYPES[type].group !== 'data');

/** The most events of one read; the next read returns the rest. */
const MOST_EVENTS = 500;

/**
 * Transactions that read the outbox (the table `events`) for the live stream of the console; `OutboxWatch` runs them.
 */
export const eventLogTransactions = defineTransactions('event_log', {
  /** The ids of the events of {@link STATE_TYPES} since an instant (epoch milliseconds). */
  async idsSince(tx, args: { since: number }): Promise<string[]> {
    const rows = await tx.all(
      `select id from events where created_at >= ? and type in (${placeholders(STATE_TYPES)})`,
      args.since,
      ...STATE_TYPES,
    );
    return rows.map((row) => String(row['id']));
  },

  /**
   * The events of {@link STATE_TYPES} since an instant (epoch milliseconds) whose ids are not in `known`: oldest first,
   * and at most {@link MOST_EVENTS}.
   */
  async unknownSince(tx, args: { since: number; known: readonly string[] }): Promise<LoggedEvent[]> {
    const known = new Set(args.known);
    const rows = await tx.all(
      `select id from events where created_at >= ? and type in (${placeholders(STATE_TYPES)})
       order by created_at, id`,
      args.since,
      ...STATE_TYPES,
    );
    // Ids first: the bodies of known events are not read.
    const ids = rows.map((row) => String(row['id'])).filter((id) => !known.has(id));
    if (ids.length === 0) return [];
    const wanted = ids.slice(0, MOST_EVENTS);
    const events = await tx.all(
      `select id, workspace, type, created_at, body from events where id in (${placeholders(wanted)})
       order by created_at, id`,
      ...wanted,
    );
    return events.map((row) => LoggedEvent.parse(row));
  },
});
