import { describe, expect, it } from 'vitest';
import { SCHEDULE_COMMANDS, SCHEDULE_STATUSES } from '#schedules/record/schedule-machine.js';

describe('the table of schedules', () => {
  it.each([
    ['scheduled', 'pause does, resume nothing, cancel does, trigger does, update does'],
    ['paused', 'pause nothing, resume does, cancel does, trigger does, update does'],
    ['in_progress', 'pause refuses, resume refuses, cancel does, trigger refuses, update refuses'],
    ['completed', 'pause refuses, resume refuses, cancel nothing, trigger refuses, update rearms'],
    ['failed', 'pause refuses, resume refuses, cancel nothing, trigger refuses, update rearms'],
    ['cancelled', 'pause refuses, resume refuses, cancel nothing, trigger refuses, update refuses'],
  ] as const)('%s: %s', (status, row) => {
    const said = Object.entries(SCHEDULE_COMMANDS[status]).map((pair) => pair.join(' '));
    expect(said.join(', ')).toBe(row);
  });

  it('has a row for every state', () => {
    expect(new Set(Object.keys(SCHEDULE_COMMANDS))).toEqual(new Set(SCHEDULE_STATUSES));
  });
});
