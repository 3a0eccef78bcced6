import { isUnavailable } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import type { Store } from '#store/store.js';
import { restoredScheduleUnits } from './restored-store.js';
import { schedulerUnits } from './scheduler-store.js';

const SLICE = 200;

/**
 * Ends every run that was due or in progress by `at` (epoch milliseconds): the database was restored from a backup, so
 * its callees may have been called since. Resolves with the number of runs.
 */
export async function endDoubtfulRuns(
  { store, log }: { store: Store; log: Log },
  at: number,
): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    const runs = await store.read(restoredScheduleUnits.doubtful, { at, after, limit: SLICE });
    await Promise.all(
      runs.map((run) =>
        store.write(restoredScheduleUnits.end, { ...run, at }).catch(async (error: unknown) => {
          if (isUnavailable(error)) throw error;
          log.error(
            { err: error, schedule_id: run.scheduleId },
            'a schedule could not be read and is given up',
          );
          await store.write(schedulerUnits.giveUp, { ...run, at });
        }),
      ),
    );
    count += runs.length;
    if (runs.length < SLICE) return count;
    after = runs.at(-1)!.executionId;
  }
}
