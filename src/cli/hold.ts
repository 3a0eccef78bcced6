import { restoredUnits } from '#batches/feeding/restored-store.js';
import { furtherCallUnits } from '#batches/scheduled-calls/single-calls/further-call-store.js';
import { restoredCallUnits } from '#calls/dialling/restored-store.js';
import { endDoubtfulRuns } from '#schedules/runs/scheduling/restored-runs.js';
import { pingUnits } from '#store/ping.js';
import type { Command, CommandContext } from './command.js';
import { requireDatabase, withDatabase } from './open-database.js';

/** For a database that was put back by other means than `restore`. */
export const holdCommand: Command = {
  name: 'hold',
  summary: 'Holds what was due in a database that other tools have restored; before the service is started.',
  operands: [],
  options: {},
  async run(context) {
    // In a new database nothing is due: whoever forgot a setting would be told that all is well.
    const name = await requireDatabase(context);
    const notes = await holdWhatWasDue(context);
    context.print(notes.length === 0 ? `Nothing was due in ${name}.` : `In ${name}:`);
    for (const note of notes) context.print(note);
    return 0;
  },
};

/**
 * Makes sure that nobody is phoned again who may have been phoned since a backup was made: what was due or under way is
 * held, or over. Resolves with what an operator should know. Harmless twice.
 */
export function holdWhatWasDue(context: CommandContext): Promise<string[]> {
  return withDatabase(context, async (store) => {
    const at = (await store.read(pingUnits.now, {})) ?? context.clock.wallMs();
    const batches = await store.write(restoredUnits.hold, { at });
    const calls = await store.write(restoredCallUnits.expire, { at });
    const wanted = await store.write(furtherCallUnits.forget, { at });
    const runs = await endDoubtfulRuns({ store, log: context.log }, at);
    return [
      noteOn(batches, ['batch was', 'batches were'], 'paused: POST /api/batches/<id>/resume lets one go on'),
      noteOn(calls, ['call was', 'calls were'], 'due, and will end as expired'),
      noteOn(
        wanted,
        ['further call was', 'further calls were'],
        'wanted after another one, and will not be made',
      ),
      noteOn(
        runs,
        ['run of a schedule was', 'runs of schedules were'],
        'due or under way: missed or failed now',
      ),
    ].filter((note) => note !== null);
  });
}

function noteOn(count: number, [one, several]: [string, string], what: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : several} ${what}.`;
}
