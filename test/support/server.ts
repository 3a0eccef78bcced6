import { onTestFinished } from 'vitest';
import { createApiKeys, type ApiKeys } from '#access/keys/api-keys.js';
import { createSessions } from '#access/sessions/sessions.js';
import { createAuthenticator } from '#access/authenticator.js';
import { createBootstrapKeys } from '#access/keys/bootstrap-keys.js';
import type { JwtVerifier } from '#access/tokens/jwt.js';
import type { HttpServer } from '#http/requests/request.js';
import { buildServer, type ServerOptions, type ServerParts } from '#http/server.js';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import type { Store } from '#store/store.js';
import { webSocketOptions } from '#ws/limits/websocket-options.js';
import { createMemoryLog } from './memory-log.js';
import { startTestStore } from './store.js';

/** The bootstrap key of every test server; it has all scopes. */
export const TEST_KEY = 'a-key-for-tests-0001';
export const AUTHORIZED = { 'x-api-key': TEST_KEY };

export interface TestServerOptions
  extends Partial<ServerOptions>, Partial<Pick<ServerParts, 'metrics' | 'readiness' | 'degraded'>> {
  clock?: Clock;
  jwt?: JwtVerifier;
  /** Adds the routes of a test. */
  routes?: (server: HttpServer, store: Store) => void;
}

export interface TestServer {
  server: HttpServer;
  store: Store;
  apiKeys: ApiKeys;
  logLines: Record<string, unknown>[];
  close(): Promise<void>;
}

/** The HTTP server with a new database, ready but not listening. The caller closes it. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const {
    clock = systemClock,
    jwt = null,
    routes,
    metrics = [],
    readiness = [],
    degraded = () => [],
    ...rest
  } = options;
  const { log, lines } = createMemoryLog();
  const ids = createIds(clock);
  const store = await startTestStore({ clock, log });
  const apiKeys = createApiKeys({ store, clock, ids, log });
  const bootstrapKeys = createBootstrapKeys([TEST_KEY]);
  const sessions = createSessions({
    store,
    clock,
    ids,
    holderOfHash: async (keyHash) => bootstrapKeys.holderOfHash(keyHash) ?? apiKeys.holderOfHash(keyHash),
    allowsLinks: true,
  });
  const server = buildServer(
    {
      environment: 'local',
      corsOrigins: ['*'],
      secureHeaders: true,
      servesDocs: true,
      servesConsole: false,
      trustProxy: false,
      rateLimitPerMinute: null,
      metricsToken: null,
      ...rest,
    },
    {
      clock,
      ids,
      log,
      store,
      apiKeys,
      sessions,
      authenticator: createAuthenticator({ apiKeys, bootstrapKeys, jwt }),
      webSocket: webSocketOptions({ clock, log }),
      readiness,
      degraded,
      metrics,
    },
  );
  if (routes) server.register(async (scope: HttpServer) => routes(scope, store));
  await server.ready();
  const close = async () => {
    const closed = server.close();
    // The server would wait for the headers of idle connections.
    server.server.closeAllConnections();
    await closed;
    await store.close();
  };
  return { server, store, apiKeys, logLines: lines, close };
}

/** {@link startTestServer} for the present test. */
export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const service = await startTestServer(options);
  onTestFinished(service.close);
  return service;
}
