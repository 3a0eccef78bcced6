import { describe, expect, it } from 'vitest';
import { eventMatches, type EventFilters, type FilteredEvent } from '#events/event-filters.js';

const over = { direction: 'outbound', end_time: '2027-03-14T07:30:00.000Z', duration_seconds: 42 };
const call = (data: Record<string, unknown>): FilteredEvent => ({ group: 'call', data });

describe('filters', () => {
  it.each<[string, EventFilters, FilteredEvent, boolean]>([
    ['nothing asked', {}, call({}), true],
    ['the same direction', { direction: 'outbound' }, call(over), true],
    ['another direction', { direction: 'inbound' }, call(over), false],
    ['the same status', { status: 'completed' }, call({ status: 'completed' }), true],
    ['a state by its name in the API', { status: 'active' }, call({ status: 'in_progress' }), true],
    ['a state by its name in events', { status: 'IN_PROGRESS' }, call({ status: 'in_progress' }), true],
    ['another status', { status: 'failed' }, call({ status: 'completed' }), false],
    ['long enough', { min_duration: 42 }, call(over), true],
    ['too short', { min_duration: 43 }, call(over), false],
    ['a length that is not known yet', { min_duration: 0 }, call({ ...over, end_time: null }), false],
    [
      'one of two does not hold',
      { direction: 'outbound', status: 'failed' },
      call({ ...over, status: 'completed' }),
      false,
    ],
    ['nothing known of the call', { direction: 'outbound' }, { group: 'data', data: {} }, false],
    [
      'a batch by its status alone',
      { status: 'completed', direction: 'inbound', min_duration: 9 },
      { group: 'batch', data: { status: 'completed' } },
      true,
    ],
    [
      'a batch of another status',
      { status: 'failed' },
      { group: 'batch', data: { status: 'completed' } },
      false,
    ],
  ])('%s', (_case, filters, about, expected) => {
    expect(eventMatches(filters, about)).toBe(expected);
  });
});
