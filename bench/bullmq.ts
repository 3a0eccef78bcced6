import { once } from 'node:events';
import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const REDIS_PORT = 16_379;

/** As much of BullMQ as is used here; it is no dependency of the project. */
export interface BullMq {
  Queue: new (
    name: string,
    options: object,
  ) => {
    addBulk(jobs: readonly { name: string; data: unknown; opts: object }[]): Promise<unknown>;
    close(): Promise<void>;
  };
  Worker: new (
    name: string,
    perform: (job: { id: string; name: string; data: { id: string } }) => Promise<void>,
    options: object,
  ) => { on(event: 'completed', listener: () => void): void; run(): Promise<void>; close(): Promise<void> };
}

/** Why BullMQ cannot be measured here; null when it can. */
export async function missingForBullMq(): Promise<string | null> {
  if (spawnSync('redis-server', ['--version']).error) return 'there is no redis-server on the PATH';
  return (await loadBullMq()) === null ? 'try: npm i --no-save bullmq ioredis' : null;
}

async function loadBullMq(): Promise<BullMq | null> {
  const name: string = 'bullmq';
  return import(name).then(
    (loaded: unknown) => loaded as BullMq,
    () => null,
  );
}

/**
 * BullMQ on a Redis of its own that keeps its files in a folder and flushes each write before it answers, as the
 * service's store does: with the usual flush every second, an accepted job may be lost, or a finished one done again.
 */
export async function openBullMq(
  folder: string,
): Promise<BullMq & { connection: object; redisId: number; close(): Promise<void> }> {
  const bullMq = (await loadBullMq())!;
  const options = {
    port: REDIS_PORT,
    bind: '127.0.0.1',
    dir: folder,
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const redis = spawn('redis-server', words, { stdio: 'ignore' });
  process.on('exit', () => redis.kill());
  while (!(await isOpen(REDIS_PORT))) await sleep(50);
  return {
    Queue: bullMq.Queue,
    Worker: bullMq.Worker,
    connection: { host: '127.0.0.1', port: REDIS_PORT },
    redisId: redis.pid!,
    async close() {
      redis.kill();
      await once(redis, 'exit');
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy());
    socket.on('error', () => resolve(false));
  });
}
