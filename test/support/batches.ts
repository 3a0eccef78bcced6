import { expect } from 'vitest';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { once, type Requests } from './call-story.js';
import type { VirtualClock } from './virtual-clock.js';

/** The fields of a batch that tests read. */
export interface BatchAnswer {
  id: string;
  status: string;
  call_ids: string[];
  calls: { call_id: string; phone_number: string; status: string; scheduled_time: string | null }[];
  end_time: string | null;
  [field: string]: unknown;
}

/** The batch once it is over and all its numbers are settled; `time` is the service's clock, if virtual. */
export function settled(
  { request, time }: { request: Requests; time?: VirtualClock | undefined },
  id: string,
): Promise<BatchAnswer> {
  return once(async () => {
    const { body } = await request('GET', `/api/batches/${id}`);
    const batch = body as BatchAnswer;
    expect(batch.end_time, JSON.stringify(batch)).not.toBeNull();
    return batch;
  }, time);
}

/** A time far enough ahead that nothing is dialled during a test. */
export function later(daysAhead = 30): string {
  return toInstant(systemClock.wallMs() + daysAhead * 86_400_000);
}

const TWO_DAYS_MS = 172_800_000;

/** The next such day, as `2027-07-15`, at least two days ahead. */
export function nextDay(monthAndDay: string): string {
  const soon = systemClock.wallMs() + TWO_DAYS_MS;
  const year = Number(toInstant(soon).slice(0, 4));
  return [year, year + 1].map((one) => `${one}-${monthAndDay}`).find((date) => Date.parse(date) > soon)!;
}
