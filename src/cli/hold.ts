import { restoredTransactions } from '#batches/dispatch/hold-batches.js';
import { restoredCallTransactions } from '#calls/dialling/restored-store.js';
import { endDoubtfulRuns } from '#schedules/runs/scheduling/restored-runs.js';
import { pingTransactions } from '#store/ping.js';
import type { Command, CommandContext } from './command.js';
import { requireDatabase, withDatabase } from './open-database.js';

/**
 * The command `hold`, for a database that was restored by other tools than the command `restore`, such as `pg_restore`:
 * it keeps the service from repeating calls that were made after the backup.
 */
export const holdCommand: Command = {
  name: 'hold',
  summary: 'Holds what was due in a database that other tools have restored; before the service is started.',
  operands: [],
  options: {},
  async run(context) {
    // The database must exist. With a forgotten DATABASE_URL, nothing would be due in a new database: like a success.
    const name = await requireDatabase(context);
    const notes = await holdDueCalls(context);
    context.print(notes.length === 0 ? `Nothing was due in ${name}.` : `In ${name}:`);
    for (const note of notes) context.print(note);
    return 0;
  },
};

/**
 * After a restore, holds or ends all calls and runs that were due or in progress: their numbers may have been called
 * since the backup. Resolves with notes for the operator. A repeat has no effect.
 */
export function holdDueCalls(context: CommandContext): Promise<string[]> {
  return withDatabase(context, async (store) => {
    // By the clock of the database server; SQLite has no clock of its own.
    const at = (await store.read(pingTransactions.now, {})) ?? context.clock.wallMs();
    const batches = await store.write(restoredTransactions.hold, { at });
    const calls = await store.write(restoredCallTransactions.expire, { at });
    const runs = await endDoubtfulRuns({ store, log: context.log }, at);
    return [
      noteOn(batches, ['batch was', 'batches were'], 'paused: POST /api/batches/<id>/resume lets one go on'),
      noteOn(calls, ['call was', 'calls were'], 'due, and will end as expired'),
      noteOn(
        runs,
        ['run of a schedule was', 'runs of schedules were'],
        'due or under way: missed or failed now',
      ),
    ].filter((note) => note !== null);
  });
}

/** A sentence about a number of rows, such as "2 calls were due, and will end as expired."; null for none. */
function noteOn(count: number, [singular, plural]: [string, string], ending: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? singular : plural} ${ending}.`;
}
