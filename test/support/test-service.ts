import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp, startThreads, type App } from '#app/app.js';
import type { Replacements } from '#app/replacements.js';
import { readConfig } from '#config/read-config.js';
import type { Environment } from '#config/setting.js';
import type { Requests } from './call-story.js';
import { createMemoryLog } from './memory-log.js';
import { startNearThreads } from './near-threads.js';

/** The key that every test service knows. */
export const TEST_KEY = 'test-key-0123456789abcdef';

export interface TestService {
  app: App;
  /** Only after `listen`. */
  baseUrl: string;
  dataDir: string;
  logLines: Record<string, unknown>[];
  /** A request with the test key, without a socket; bodies are JSON. */
  request: Requests;
  close(): Promise<void>;
}

/**
 * The real service, in this process, on a database of its own. With `listen` it is on a free port, and the database has
 * its threads, so that its work delays no sound; without, the test's own thread does that work, too.
 */
export async function buildTestService(
  options: { environment?: Environment; replace?: Partial<Replacements>; listen?: boolean } = {},
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callwright-service-'));
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: 'off',
    API_KEYS: TEST_KEY,
    RATE_LIMIT_PER_MINUTE: '0',
    ...options.environment,
  });
  const { log, lines } = createMemoryLog();
  const threads = options.listen ? startThreads() : startNearThreads();
  const app = await buildApp(config, { log, ...options.replace }, {}, threads);
  const port = options.listen ? (await app.listen()).port : 0;
  if (!options.listen) await app.server.ready();
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    app,
    baseUrl,
    dataDir,
    logLines: lines,
    async request(method, url, payload) {
      const answer = await app.server.inject({
        method: method as 'GET',
        url,
        headers: { 'x-api-key': TEST_KEY },
        ...(payload === undefined ? {} : { payload: payload as object }),
      });
      return { status: answer.statusCode, body: answer.json<unknown>() };
    },
    async close() {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
