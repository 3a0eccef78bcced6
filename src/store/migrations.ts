import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Reads migrations, and finds those that a database lacks. Both engines do so when their writer opens the database, and
// so does the command line when it inspects a database or restores a backup.

/** One migration: an SQL file that runs on both engines. */
export interface Migration {
  /** The file's name without `.sql`, such as `001-foundation`. */
  name: string;
  sql: string;
  /** SHA-256 of the SQL, in hex: a migration must not change after it was applied. */
  checksum: string;
}

/** A row of `schema_migrations`. */
export interface AppliedMigration {
  name: string;
  checksum: string;
}

// The statements for the table of applied migrations. PostgreSQL gets `?` as `$1`, `$2` … (`numberPlaceholders`).
export const CREATE_MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at bigint not null)';
export const SELECT_MIGRATIONS = 'select name, checksum from schema_migrations order by name';
export const INSERT_MIGRATION = 'insert into schema_migrations (name, checksum, applied_at) values (?, ?, ?)';

const FILE_NAME = /^(\d{3})-[a-z0-9-]+\.sql$/;

/** Reads the migrations of a folder: `001-….sql`, `002-….sql` and so on. @throws Error for a gap or another name */
export function readMigrations(directory: string): Migration[] {
  const files = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return files.map((file, index) => {
    const number = FILE_NAME.exec(file)?.[1];
    const expected = String(index + 1).padStart(3, '0');
    if (number !== expected)
      throw new Error(`migration ${file}: a file named ${expected}-….sql was expected here`);
    // Git may check files out with CRLF line ends: the checksum must not change with them.
    const sql = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n');
    return {
      name: file.slice(0, -'.sql'.length),
      sql,
      checksum: createHash('sha256').update(sql).digest('hex'),
    };
  });
}

/**
 * The known migrations that are not applied yet.
 * @throws Error unless the applied migrations are the first of the known ones, unchanged
 */
export function pendingMigrations(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): Migration[] {
  applied.forEach((row, index) => {
    const migration = known[index];
    if (migration?.name !== row.name) {
      throw new Error(
        `the database has applied the migration ${row.name}, which this program does not have: it belongs to ` +
          'another or a newer release. Run that one, or restore a backup that was made before it',
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new Error(
        `the migration ${row.name} was changed after this database had applied it: put the file back and write ` +
          'the change as a new migration',
      );
    }
  });
  return known.slice(applied.length);
}
