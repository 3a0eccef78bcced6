import { join } from 'node:path';
import { openObjectStorage } from '#app/open-object-storage.js';
import { folderIdOf } from '#kernel/system/folder-id.js';
import { makeFolder } from '#kernel/system/folders.js';
import { moveRecordings, type MoveProgress } from '#calls/recordings/move-recordings.js';
import { UsageError, type Command, type CommandArguments } from './command.js';
import { requireDatabase, requireUpToDate, withDatabase } from './open-database.js';

const DAY_MS = 86_400_000;

/**
 * The command `recordings move`: moves existing recordings between disk and object storage. The exit code is 1 if a
 * recording could not be moved.
 */
export const moveRecordingsCommand: Command = {
  name: 'recordings move',
  summary: 'Moves recordings to object storage or back to the disk; may be interrupted and run again.',
  operands: [],
  options: {
    to: { type: 'string', docs: 'Where to: s3 or local.' },
    'older-than': { type: 'string', docs: 'Only those of so many days and more ago, such as 30d.' },
  },
  async run(context, args) {
    const to = targetOf(args);
    const days = daysOf(args);
    const { config, clock, ids } = context;
    await requireDatabase(context);
    await requireUpToDate(context);
    makeFolder(config.recordingsDir);
    const folderId = folderIdOf(config.recordingsDir, ids);
    const { storage, close } = openObjectStorage(config, { clock });
    if (storage === null)
      throw new Error(`object storage is not set up: ${config.objectStorageLacks.join(', ')} is missing`);
    try {
      const moved = await withDatabase(context, (store) =>
        moveRecordings(
          { to, begunBefore: clock.wallMs() - days * DAY_MS },
          { store, clock, storage, folderId, pathOf: (name) => join(config.recordingsDir, name) },
          (progress) => context.print(lineOf(progress)),
        ),
      );
      context.print(`${moved.moved} recordings moved, ${moved.failed} not.`);
      return moved.failed === 0 ? 0 : 1;
    } finally {
      await close();
    }
  },
};

/** The line that reports one recording. */
function lineOf({ callId, sizeBytes, failure }: MoveProgress): string {
  return failure === null ? `${callId}  ${sizeBytes} bytes` : `${callId}  not moved: ${failure}`;
}

function targetOf({ options }: CommandArguments): 's3' | 'local' {
  const { to } = options;
  if (to === 's3' || to === 'local') return to;
  throw new UsageError('--to must be s3 or local');
}

/** The value of `--older-than` in days; 0 without it. */
function daysOf({ options }: CommandArguments): number {
  const given = options['older-than'];
  if (given === undefined) return 0;
  const days = /^(\d{1,5})d?$/.exec(String(given))?.[1];
  if (days === undefined) throw new UsageError('--older-than must be a number of days, such as 30d');
  return Number(days);
}
