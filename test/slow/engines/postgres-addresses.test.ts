import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { thingTransactions } from '#test/contracts/store-transactions.js';
import { THING_MIGRATIONS } from '#test/contracts/store.js';
import { openPostgres } from '#test/support/postgres.js';
import { openTestStore } from '#test/support/store.js';
import { faultTransactions } from '#test/integration/store/fault-transactions.js';

const postgres = await openPostgres();

describe.skipIf(postgres.isMissing)('a PostgreSQL server of this machine', () => {
  const open = (databaseUrl: string) => openTestStore({ databaseUrl, migrationsDir: THING_MIGRATIONS });

  it.each(['as a query', 'as a query with an encoded folder', 'as an encoded host'])(
    'is reached by the folder of its socket, %s',
    async (spelling) => {
      const databaseUrl = await postgres.server.createDatabase();
      const byAddress = await open(databaseUrl);
      const folders = await byAddress.read(faultTransactions.setting, 'unix_socket_directories');
      const folder = String(folders).split(',')[0]!;
      const { username, password, port, pathname } = new URL(databaseUrl);
      const encoded = encodeURIComponent(folder);
      const bySocket = await open(
        {
          'as a query': `postgres://${username}:${password}@${pathname}?host=${folder}&port=${port}`,
          'as a query with an encoded folder': `postgres://${username}:${password}@${pathname}?host=${encoded}&port=${port}`,
          'as an encoded host': `postgres://${username}:${password}@${encoded}:${port}${pathname}`,
        }[spelling]!,
      );
      expect(await bySocket.read(faultTransactions.isLocal, undefined)).toBe(true);
      await bySocket.write(thingTransactions.put, { id: 'by-socket' });
      expect(await byAddress.read(thingTransactions.ids, '')).toEqual(['by-socket']);
    },
  );

  it.each([
    'postgres://user:hunter2@/none?host=/nowhere',
    'postgres:///none?host=%2Fnowhere&user=user&password=hunter2',
    'postgres://user:hunter2@%2Fnowhere/none',
  ])('is named by its socket when it cannot be reached, without the password: %s', async (databaseUrl) => {
    const opening = open(databaseUrl);
    await expect(opening).rejects.toThrow(/^PostgreSQL at \/nowhere\/none: .*ENOENT/);
    await expect(opening).rejects.not.toThrow(/hunter2/);
  });

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'is not trusted without a certificate that can be verified: sslmode=%s',
    async (mode) => {
      const warn = vi.spyOn(process, 'emitWarning');
      onTestFinished(() => warn.mockRestore());
      const databaseUrl = `${await postgres.server.createDatabase()}?sslmode=${mode}`;
      const opening = openTestStore({ databaseUrl, migrationsDir: THING_MIGRATIONS });
      await expect(opening).rejects.toThrow('The server does not support SSL connections');
      expect(warn).not.toHaveBeenCalled();
    },
  );
});
