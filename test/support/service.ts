import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once, type Requests } from './call-story.js';
import { startChild, type Child } from './child.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** The key that every process knows. */
export const SERVICE_KEY = 'service-key-0123456789abcdef';

/** A real process of the service; its files outlive it. */
export interface Service {
  readonly child: Child;
  readonly port: number;
  /** Of its audio sockets, with a key that opens them. */
  readonly streamUrl: string;
  readonly request: Requests;
  /** Kills it, like a power failure; resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop; resolves with its exit code. */
  stop(): Promise<number | string | null>;
}

/** Starts a service process in a folder. @param program default the service itself */
export function spawnService(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  program = MAIN,
): Child {
  return startChild(process.execPath, [program], {
    cwd: folder,
    environment: {
      DATA_DIR: join(folder, 'data'),
      SANDBOX_LEDGER: join(folder, 'ledger.jsonl'),
      PORT: '0',
      DEMO: 'off',
      API_KEYS: SERVICE_KEY,
      RATE_LIMIT_PER_MINUTE: '0',
      ...environment,
    },
  });
}

/** Starts the service in a folder; resolves when it listens. */
export async function startService(...how: Parameters<typeof spawnService>): Promise<Service> {
  const child = spawnService(...how);
  const port = await once(async () => portOf(child));
  return {
    child,
    port,
    streamUrl: `ws://127.0.0.1:${port}/ws/stream?token=${SERVICE_KEY}`,
    async request(method, path, body) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          'x-api-key': SERVICE_KEY,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
    async kill() {
      child.process.kill('SIGKILL');
      await child.ended;
    },
    async stop() {
      child.process.kill('SIGTERM');
      return (await child.ended).code;
    },
  };
}

function portOf(child: Child): number {
  const lines = child.stderr.split('\n').filter((line) => line.startsWith('{'));
  for (const line of lines) {
    const { msg, port } = JSON.parse(line) as { msg: string; port: number };
    if (msg === 'listening') return port;
  }
  throw new Error(`the service does not listen: ${child.stderr}`);
}
