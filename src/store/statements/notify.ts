import type { Tx } from '#store/transaction.js';

/** The one channel of PostgreSQL: the topic is the first word of what is sent on it. */
export const NOTICE_CHANNEL = 'callwright';

/**
 * Tells every process that listens to a topic (`Store.listen`) the id of a row, when the transaction commits. A notice
 * may be lost, so its receiver also looks by itself now and then; and it may be read by anybody who may connect to the
 * database, so it holds an id and nothing about people. No-op on SQLite, which one process has for itself.
 * @param topic a word without spaces, such as a kind of notice and the id of a process
 */
export function notify(tx: Tx, topic: string, id: string): void {
  if (tx.dialect.engine !== 'postgres') return;
  tx.post('select pg_notify(?, ?)', NOTICE_CHANNEL, `${topic} ${id}`);
}
