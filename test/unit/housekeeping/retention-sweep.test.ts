import { expect, it } from 'vitest';
import { sweepDaily } from '#housekeeping/retention-sweep.js';
import { Problem } from '#kernel/errors/errors.js';
import { createMemoryLog } from '#test/support/memory-log.js';

it('a sweep skips records that cannot be removed, and warns unless another process has removed them', async () => {
  const { log, lines } = createMemoryLog();
  const failures: Record<string, Error> = {
    gone: new Problem('call_not_found', 'There is no call with this id.'),
    stuck: new Error('disk full'),
    refused: new Problem('invalid_state', 'This call is not over.'),
  };
  const removed: string[] = [];
  const purge = sweepDaily(
    {
      days: 30,
      what: 'call',
      readSlice: async () => ({
        found: ['gone', 'stuck', 'refused', 'old'].map((id) => ({ workspace: 'default', id })),
        after: null,
      }),
      removeRecord: async ({ id }) => {
        if (failures[id]) throw failures[id];
        removed.push(id);
      },
    },
    log,
  );
  expect(await purge(1_000 * 86_400_000)).toBe(false);
  expect(removed).toEqual(['old']);
  expect(lines.map(({ id, what }) => [id, what])).toEqual([
    ['stuck', 'call'],
    ['refused', 'call'],
  ]);
});
