import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeSystemError } from '#kernel/errors/system-error.js';

/** What SQLite says when the file system refused, without saying why. */
const UNEXPLAINED = /unable to open database|attempt to write a readonly database/;

/** Why a database could not be opened: where SQLite does not say, the file system is asked itself. */
export function describeOpenFailure(error: Error, path: string): string {
  if (!UNEXPLAINED.test(error.message)) return describeSystemError(error);
  try {
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) closeSync(openSync(path, 'r+'));
  } catch (refusal) {
    return describeSystemError(refusal);
  }
  return error.message;
}
