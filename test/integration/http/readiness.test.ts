import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openBuiltInSpeech } from '#providers/builtin/built-in-speech.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { createMemoryLog } from '#test/support/memory-log.js';

let service: TestService;
afterEach(() => service.close());

const speech = () => openBuiltInSpeech({ threads: 1, log: createMemoryLog().log });

it('says that all is well, part by part', async () => {
  service = await buildTestService({
    listen: true,
    replace: { speech: { ...speech(), warmUp: async () => {} } },
  });
  const checks = { database: 'ok', scheduler: 'ok', storage: 'ok', speech: 'ok', event_loop: 'ok' };
  expect(await service.request('GET', '/health/ready')).toEqual({
    status: 200,
    body: { status: 'ready', checks },
  });
});

it('fails while the database takes no changes, though it can be read', async () => {
  service = await buildTestService({ replace: { clock: new FakeClock() } });
  const shell = new Database(join(service.dataDir, 'callwright.db'));
  shell.exec('begin immediate');
  expect(await service.request('GET', '/health/ready')).toMatchObject({
    status: 503,
    body: { status: 'unavailable', checks: { database: 'failed', storage: 'ok' } },
  });
  shell.exec('rollback');
  shell.close();
  expect(await service.request('GET', '/health/ready')).toMatchObject({
    body: { checks: { database: 'ok' } },
  });
});

it('fails while a speech thread cannot be replaced', async () => {
  const check = async () => Promise.reject(new Error('the speech thread hangs'));
  service = await buildTestService({ replace: { speech: { ...speech(), check } } });
  expect(await service.request('GET', '/health/ready')).toMatchObject({
    status: 503,
    body: { status: 'unavailable', checks: { speech: 'failed', event_loop: 'ok' } },
  });
});

it('fails while everything comes late', async () => {
  /** Its timers come a second late. */
  class LateClock extends FakeClock {
    override after(delayMs: number, task: () => void): () => void {
      return super.after(delayMs + 1_000, task);
    }
  }
  const clock = new LateClock();
  service = await buildTestService({ listen: true, replace: { clock, speech: speech() } });
  await clock.advance(10_000);
  expect(await service.request('GET', '/health/ready')).toMatchObject({
    status: 503,
    body: { checks: { event_loop: 'failed' } },
  });
});
