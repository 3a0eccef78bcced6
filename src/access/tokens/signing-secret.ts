import type { Ids } from '#kernel/ids/ids.js';
import type { Store } from '#store/store.js';
import { defineTransactions } from '#store/transaction.js';

/** The transactions on the table `secrets`, which holds secrets of the service itself. */
const secretTransactions = defineTransactions('secrets', {
  /** The secret with this name; if there is none, `value` is stored and returned. */
  async getOrStore(tx, args: { name: string; value: string }): Promise<string> {
    await tx.run(
      'insert into secrets (name, value) values (?, ?) on conflict (name) do nothing',
      args.name,
      args.value,
    );
    const row = await tx.get('select value from secrets where name = ?', args.name);
    return String(row!['value']);
  },
});

const SECRET_BYTES = 32;

/**
 * The key that signs links to recordings (`createRecordingTokens`). It is created once for each database, so that all
 * processes share it and links stay valid across restarts.
 */
export async function signingSecret(store: Store, ids: Ids): Promise<Buffer> {
  const value = ids.secret(SECRET_BYTES).toString('base64url');
  return Buffer.from(
    await store.write(secretTransactions.getOrStore, { name: 'url-signing', value }),
    'base64url',
  );
}
