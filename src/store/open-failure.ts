import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { asError } from '#kernel/errors/as-error.js';
import { nameOfDatabase, type DatabaseTarget } from './database-url.js';
import { describeSystemError } from '#kernel/errors/system-error.js';

/**
 * Makes the error for a database that could not be opened, with the name of the database and the cause. The engines'
 * errors usually lack the name. Used by `openStore` and `inspectDatabase`.
 */
export function openFailure(thrown: unknown, target: DatabaseTarget): Error {
  const error = asError(thrown);
  const name = nameOfDatabase(target);
  const reason = target.engine === 'sqlite' ? describeOpenFailure(error, target.path) : error.message;
  return new Error(reason.includes(name) ? reason : `${name}: ${reason}`, { cause: error });
}

/** SQLite's messages for a refusal of the file system, which lack the cause. */
const UNEXPLAINED = /unable to open database|attempt to write a readonly database/;

/**
 * Why SQLite could not open a file. If its message lacks the cause, the same is tried without SQLite, for its error.
 */
function describeOpenFailure(error: Error, path: string): string {
  if (!UNEXPLAINED.test(error.message)) return describeSystemError(error);
  try {
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) closeSync(openSync(path, 'r+'));
  } catch (refusal) {
    return describeSystemError(refusal);
  }
  return error.message;
}
