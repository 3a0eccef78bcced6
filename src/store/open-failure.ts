import { asError } from '#kernel/errors/as-error.js';
import { nameOfDatabase, type DatabaseTarget } from './database-url.js';
import { describeOpenFailure } from '#store/sqlite/open-failure.js';

/** Why a database could not be opened, and which: engines say what is wrong, and not with which database. */
export function openFailure(thrown: unknown, target: DatabaseTarget): Error {
  const error = asError(thrown);
  const name = nameOfDatabase(target);
  const reason = target.engine === 'sqlite' ? describeOpenFailure(error, target.path) : error.message;
  return new Error(reason.includes(name) ? reason : `${name}: ${reason}`, { cause: error });
}
