import { z } from 'zod';
import type { EventGroup } from './event-types.js';

/** Filters of a webhook (docs/webhooks.md, "Filters"). An event must meet all that are set. */
export const EventFilters = z.object({
  direction: z.enum(['outbound', 'inbound']).optional(),
  status: z.string().optional(),
  min_duration: z.number().optional(),
});
export type EventFilters = z.output<typeof EventFilters>;

/** The data that filters read: the event's own, or that of the event that ended its call (see `recordEvents`). */
export interface FilteredEvent {
  group: EventGroup;
  data: Readonly<Record<string, unknown>>;
}

/** States of calls that the API and the events name differently, by the API's name; filters accept both names. */
const EVENT_STATUS: Readonly<Record<string, string>> = {
  active: 'in_progress',
  ending: 'in_progress',
  queued: 'initiated',
  connecting: 'initiated',
};

/**
 * True if an event meets the filters of a webhook, which then receives it (`recordEvents`). A filter that cannot be
 * decided, such as the duration of a running call, is not met. For batches only the status counts.
 */
export function eventMatches(filters: EventFilters, { group, data }: FilteredEvent): boolean {
  const { direction, status, min_duration } = filters;
  if (status !== undefined && toEventStatus(status) !== toEventStatus(data['status'])) return false;
  if (group === 'batch') return true;
  if (direction !== undefined && data['direction'] !== direction) return false;
  if (min_duration === undefined) return true;
  const isOver = typeof data['end_time'] === 'string';
  return isOver && Number(data['duration_seconds']) >= min_duration;
}

/** The status as events name it. */
function toEventStatus(status: unknown): unknown {
  const word = typeof status === 'string' ? status.toLowerCase() : status;
  return typeof word === 'string' ? (EVENT_STATUS[word] ?? word) : undefined;
}
