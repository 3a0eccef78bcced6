import { z } from 'zod';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions } from '#store/transaction.js';

/** A secret without its value. Instants are epoch milliseconds; `used_at` is null for a secret that was never used. */
const SecretFacts = z.object({
  name: z.string(),
  created_at: z.int(),
  updated_at: z.int(),
  used_at: z.int().nullable(),
});
export type SecretFacts = z.output<typeof SecretFacts>;

/** The columns of {@link SecretFacts}. */
const FACT_COLUMNS = 'name, created_at, updated_at, used_at';

/**
 * The transactions on the table `workspace_secrets`, for `Secrets`. Values are sealed (encrypted) before they get here.
 */
export const workspaceSecretTransactions = defineTransactions('workspace-secrets', {
  /** Sets a secret; `isNew` is false if the secret had a value before. */
  async put(
    tx,
    args: { workspace: string; name: string; sealed: string; at: number },
  ): Promise<{ facts: SecretFacts; isNew: boolean }> {
    const { workspace, name, sealed, at } = args;
    const changed = await tx.run(
      'update workspace_secrets set sealed = ?, updated_at = ? where workspace = ? and name = ?',
      sealed,
      at,
      workspace,
      name,
    );
    if (changed === 0) {
      // Another request may have inserted the same secret since the update.
      await tx.run(
        `insert into workspace_secrets (workspace, name, sealed, created_at, updated_at) values (?, ?, ?, ?, ?)
         on conflict (workspace, name) do update set sealed = excluded.sealed, updated_at = excluded.updated_at`,
        workspace,
        name,
        sealed,
        at,
        at,
      );
    }
    const row = await tx.get(
      `select ${FACT_COLUMNS} from workspace_secrets where workspace = ? and name = ?`,
      workspace,
      name,
    );
    return { facts: SecretFacts.parse(row), isNew: changed === 0 };
  },

  /** The secrets of a workspace without their values, by name. */
  async list(tx, args: { workspace: string }): Promise<SecretFacts[]> {
    const rows = await tx.all(
      `select ${FACT_COLUMNS} from workspace_secrets where workspace = ? order by name`,
      args.workspace,
    );
    return rows.map((row) => SecretFacts.parse(row));
  },

  /** Deletes a secret; false if there is no secret of this name. */
  async remove(tx, args: { workspace: string; name: string }): Promise<boolean> {
    const { workspace, name } = args;
    return (
      (await tx.run('delete from workspace_secrets where workspace = ? and name = ?', workspace, name)) === 1
    );
  },

  /** The sealed values of some secrets, which are marked as used now. Unknown names are left out. */
  async use(
    tx,
    args: { workspace: string; names: readonly string[]; at: number },
  ): Promise<{ name: string; sealed: string }[]> {
    if (args.names.length === 0) return [];
    const where = `workspace = ? and name in (${placeholders(args.names)})`;
    const rows = await tx.all(
      `select name, sealed from workspace_secrets where ${where}`,
      args.workspace,
      ...args.names,
    );
    if (rows.length > 0)
      await tx.run(
        `update workspace_secrets set used_at = ? where ${where}`,
        args.at,
        args.workspace,
        ...args.names,
      );
    return rows.map((row) => ({ name: String(row['name']), sealed: String(row['sealed']) }));
  },
});
