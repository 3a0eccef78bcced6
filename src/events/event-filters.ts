import { z } from 'zod';
import type { EventGroup } from './event-types.js';

/** What a webhook may narrow its events down to (Interface: Webhook registration). All that are given must hold. */
export const EventFilters = z.object({
  direction: z.enum(['outbound', 'inbound']).optional(),
  status: z.string().optional(),
  min_duration: z.number().optional(),
});
export type EventFilters = z.output<typeof EventFilters>;

/** What filters look at: the data of the event, or of the end of the call that it is about. */
export interface FilteredEvent {
  group: EventGroup;
  data: Readonly<Record<string, unknown>>;
}

/** Filters may use the states of calls as the API shows them; events have names of their own for some. */
const EVENT_WORDS: Readonly<Record<string, string>> = {
  active: 'in_progress',
  ending: 'in_progress',
  queued: 'initiated',
  connecting: 'initiated',
};

/**
 * Whether an event passes. A filter that cannot be decided for an event (how long a call took that goes on) does not
 * match. Of a batch only the status is asked.
 */
export function eventMatches(filters: EventFilters, { group, data }: FilteredEvent): boolean {
  const { direction, status, min_duration } = filters;
  if (status !== undefined && inEventWords(status) !== inEventWords(data['status'])) return false;
  if (group === 'batch') return true;
  if (direction !== undefined && data['direction'] !== direction) return false;
  if (min_duration === undefined) return true;
  const isOver = typeof data['end_time'] === 'string';
  return isOver && Number(data['duration_seconds']) >= min_duration;
}

function inEventWords(status: unknown): unknown {
  const word = typeof status === 'string' ? status.toLowerCase() : status;
  return typeof word === 'string' ? (EVENT_WORDS[word] ?? word) : undefined;
}
