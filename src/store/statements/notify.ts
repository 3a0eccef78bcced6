import type { Tx } from '#store/transaction.js';

/** The PostgreSQL channel of all notifications; the topic is the first word of a notification. */
export const NOTICE_CHANNEL = 'callwright';

/**
 * Sends the id of a row to every process that listens to a topic (`Store.listen`), when the transaction commits. A
 * notification may be lost, so receivers also poll. Every user of the database can read it, so it holds an id and no
 * personal data. No-op on SQLite, which only one process has open.
 * @param topic a word without spaces, such as `actions:<id of a process>`
 */
export function notify(tx: Tx, topic: string, id: string): void {
  if (tx.dialect.engine !== 'postgres') return;
  tx.post('select pg_notify(?, ?)', NOTICE_CHANNEL, `${topic} ${id}`);
}
