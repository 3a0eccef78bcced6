import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp, startThreads, type App } from '#app/app.js';
import { createAnalyst } from '#analysis/analyst.js';
import type { Config } from '#config/config.js';
import type { Replacements } from '#app/replacements.js';
import { readConfig } from '#config/read-config.js';
import type { Environment } from '#config/setting.js';
import type { Log } from '#kernel/log/log.js';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import { openBuiltInSpeech, type BuiltInSpeech } from '#providers/builtin/built-in-speech.js';
import type { Requests } from './call-story.js';
import { writeFreshDatabase } from './fresh-database.js';
import { createMemoryLog } from './memory-log.js';
import { startNearThreads } from './near-threads.js';
import { sharedSpeechPool } from './shared-speech.js';
import type { VirtualClock } from './virtual-clock.js';

export interface TestServiceOptions {
  environment?: Environment;
  replace?: Partial<Replacements>;
  listen?: boolean;
  /** For a service that listens and carries no audio: the test's own thread does the work of the database. */
  withoutThreads?: true;
  time?: VirtualClock;
}

/** The API key of every test service. */
export const TEST_KEY = 'test-key-0123456789abcdef';

export interface TestService {
  app: App;
  /** Available after `listen`. */
  baseUrl: string;
  dataDir: string;
  logLines: Record<string, unknown>[];
  /** The virtual clock, if one was given. */
  time?: VirtualClock;
  /** Sends a request with the test key, without a socket; bodies are JSON. */
  request: Requests;
  close(): Promise<void>;
}

/**
 * The real service in this process, with a new database. With `listen` it is on a free port and the database has its
 * threads, so that its work does not delay audio; otherwise the test's own thread does that work. With `time` it
 * listens and runs in virtual time, which passes while the test waits.
 */
export async function buildTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { time } = options;
  const listens = options.listen === true || time !== undefined;
  const dataDir = await mkdtemp(join(tmpdir(), 'callwright-service-'));
  if (!options.environment?.['DATABASE_URL']) await writeFreshDatabase(join(dataDir, 'callwright.db'));
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: 'off',
    API_KEYS: TEST_KEY,
    RATE_LIMIT_PER_MINUTE: '0',
    ...options.environment,
  });
  const { log, lines } = createMemoryLog();
  const parts = { log, ...partsOf(config, log, { ...options, listens }), ...options.replace };
  const hasThreads = listens && !time && !options.withoutThreads;
  const nearThreads = hasThreads ? null : startNearThreads();
  if (nearThreads) time?.owes(() => nearThreads.owed());
  const app = await buildApp(config, parts, {}, nearThreads ?? startThreads());
  const port = listens ? (await app.listen()).port : 0;
  if (!listens) await app.server.ready();
  const baseUrl = `http://127.0.0.1:${port}`;
  const request = async (method: string, url: string, payload?: unknown) => {
    const answer = await app.server.inject({
      method: method as 'GET',
      url,
      headers: { 'x-api-key': TEST_KEY },
      ...(payload === undefined ? {} : { payload: payload as object }),
    });
    const isSound = String(answer.headers['content-type']).startsWith('audio/');
    return { status: answer.statusCode, body: isSound ? answer.rawPayload : answer.json<unknown>() };
  };
  return {
    app,
    baseUrl,
    dataDir,
    logLines: lines,
    ...(time && { time }),
    request: Object.assign(request, { time }),
    async close() {
      await (time ? time.during(app.close()) : app.close());
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The parts that work in threads. A service that does not listen starts none. */
function partsOf(
  config: Config,
  log: Log,
  { time, listens, replace }: TestServiceOptions & { listens: boolean },
): Partial<Replacements> {
  if (time) return virtualParts(config, time, log);
  return listens ? { speech: openSharedSpeech(config, replace?.clock ?? systemClock, log) } : {};
}

/** The parts of a service that work in threads, set up so that virtual time waits for them. */
function virtualParts(config: Config, time: VirtualClock, log: Log): Partial<Replacements> {
  const speech = openSharedSpeech(config, time, log);
  const analyst = createAnalyst({ log });
  let underWay = 0;
  const watched = async <Value>(work: Promise<Value>): Promise<Value> => {
    underWay += 1;
    return work.finally(() => (underWay -= 1));
  };
  time.owes(() => Object.values(speech.waiting()).reduce((sum, count) => sum + count, underWay));
  return {
    clock: time,
    speech: { ...speech, close: () => watched(speech.close()) },
    analyst: {
      ...analyst,
      analyse: (input) => watched(analyst.analyse(input)),
      close: () => watched(analyst.close()),
    },
  };
}

/** Built-in speech on the threads of the process. */
function openSharedSpeech(config: Config, clock: Clock, log: Log): BuiltInSpeech {
  const { speechThreads: threads, defaultTimezone: timeZone, defaultRegion: region } = config;
  return openBuiltInSpeech({ threads, pool: sharedSpeechPool(), log, clock, timeZone, region });
}
