import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { openStore } from '#store/open-store.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const READY = `parentPort.postMessage({ kind: 'ready', facts: { engine: 'sqlite', version: '', migrated: [] } });`;

/** A thread that runs one script on its first message and another on its second. */
function feignedThread(onOpen: string, onMore: string): Worker {
  const code = `const { parentPort } = require('node:worker_threads');
    parentPort.once('message', () => {
      ${onOpen}
      parentPort.once('message', () => { ${onMore} });
    });`;
  return new Worker(code, { eval: true });
}

it('rejects a store whose writer ends while its reader opens', async () => {
  const writer = feignedThread(READY, 'process.exit(1);');
  const reader = feignedThread('', READY);
  const { log } = createMemoryLog();
  writer.once('message', () => writer.postMessage({ kind: 'end' }));
  writer.once('exit', () => reader.postMessage({ kind: 'go on' }));
  const options = {
    databaseUrl: `sqlite:${join(temporaryFolder(), 'callwright.db')}`,
    threads: { writer, reader },
    migrationsDir: temporaryFolder(),
    queueLimit: 10,
  };
  await expect(openStore(options, { log, clock: systemClock })).rejects.toThrow('ended before it was ready');
});
