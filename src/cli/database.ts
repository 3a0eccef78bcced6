import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseDatabaseUrl } from '#store/database-url.js';
import { restoreBackup } from '#store/restore-backup.js';
import { backupDatabase } from '#store/sqlite/backup.js';
import type { Command, CommandContext } from './command.js';
import { holdDueCalls } from './hold.js';
import { migrationsFolder } from '#kernel/system/installation.js';
import { withDatabase } from './open-database.js';

/** The commands on the database as a whole: `migrate`, `backup` and `restore`. */
export const databaseCommands: readonly Command[] = [
  {
    name: 'migrate',
    summary: 'Applies pending migrations to the database, as every start does.',
    operands: [],
    options: {},
    async run(context) {
      // To open the database is to migrate it.
      await withDatabase(context, async () => {});
      context.print('The database is up to date.');
      return 0;
    },
  },
  {
    name: 'backup',
    summary: 'Copies the database to a new file, even while the service runs.',
    operands: ['<file>'],
    options: {},
    async run(context, { operands }) {
      const target = resolve(context.folder, operands[0]!);
      const path = databasePathOf(context, 'pg_dump');
      if (!existsSync(path)) throw new Error(`there is no database at ${path}`);
      // The database is not migrated: before an upgrade, the copy must fit the old release.
      await backupDatabase(path, target);
      context.print(
        `The database is copied to ${target}. Recordings are files of their own: ${context.config.recordingsDir}`,
      );
      return 0;
    },
  },
  {
    name: 'restore',
    summary: 'Replaces the database with a backup; the service must be stopped.',
    operands: ['<file>'],
    options: { force: { type: 'boolean', docs: 'Replaces an existing database.' } },
    async run(context, { operands, options }) {
      const path = databasePathOf(context, 'pg_restore, and then `callwright hold`,');
      const notes = await restoreBackup(
        resolve(context.folder, operands[0]!),
        path,
        { force: options['force'] === true, migrationsDir: migrationsFolder },
        (copyPath) =>
          holdDueCalls({ ...context, config: { ...context.config, databaseUrl: `sqlite:${copyPath}` } }),
      );
      context.print(`The database ${path} is restored.`);
      if (notes.length > 0)
        context.print('Nobody is called again who may have been called since the backup was made:');
      for (const note of notes) context.print(note);
      return 0;
    },
  },
];

/** Path of the SQLite file. @throws Error for a PostgreSQL database, which names `postgresTool` to use instead */
function databasePathOf(context: CommandContext, postgresTool: string): string {
  const target = parseDatabaseUrl(context.config.databaseUrl);
  if (target.engine === 'sqlite') return target.path;
  throw new Error(`this is for SQLite; use ${postgresTool} with PostgreSQL`);
}
