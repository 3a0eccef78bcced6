import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '#access/keys/principal.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

let service: TestService;
const keys = new Map<Scope, string>();
beforeAll(async () => {
  service = await buildTestService();
  for (const scope of SCOPES) {
    const { body } = await service.request('POST', '/v1/api-keys', { name: scope, scopes: [scope] });
    keys.set(scope, (body as { key: string }).key);
  }
});
afterAll(() => service.close());

/** What is asked without credentials, and what each of the three scopes is enough for. */
type Demand = 'nothing' | Scope;

/** What does not follow from the method: who looks needs `read`, who changes something needs `write`. */
const OTHERWISE: Readonly<Record<string, Demand>> = {
  'GET /health': 'nothing',
  'GET /health/ready': 'nothing',
  'GET /metrics': 'read',
  'GET /v1/api-keys': 'admin',
  'POST /v1/api-keys': 'admin',
  'GET /v1/api-keys/{key_id}': 'admin',
  'DELETE /v1/api-keys/{key_id}': 'admin',
  'GET /api/settings': 'admin',
  'POST /console/session': 'nothing',
  'DELETE /console/session': 'nothing',
  'PUT /api/secrets/{name}': 'admin',
  'DELETE /api/secrets/{name}': 'admin',
  'POST /api/scheduled-calls/preview': 'read',
  'POST /api/suppressions/check': 'read',
};
/** A stream that never ends is asked for what it refuses. */
const LIVE = '/api/live';
/** Knows nobody but by their cookie. */
const OF_A_SESSION = 'GET /console/session';

/** Carriers sign what they say: for them a missing or wrong signature is 403. */
const SIGNED = /^POST \/(voice|webhook\/)/;

const DIAL_REF = `dial_${'0'.repeat(26)}`;

const ENOUGH: Readonly<Record<Demand, readonly Scope[]>> = {
  nothing: SCOPES,
  read: SCOPES,
  write: ['write', 'admin'],
  admin: ['admin'],
};

async function status(route: string, key: string | null): Promise<number> {
  const [method, path] = route.split(' ') as ['POST', string];
  const { statusCode } = await service.app.server.inject({
    method,
    url: (path === LIVE ? `${LIVE}?types=unknown` : path)
      .replace('{kind}', 'status')
      .replace('{dial_ref}', DIAL_REF)
      .replaceAll(/\{\w+\}/g, 'unknown'),
    // Not this machine's, which may read the metrics without a key.
    remoteAddress: '198.51.100.7',
    headers: key === null ? {} : { 'x-api-key': key },
    ...(method === 'POST' ? { payload: {} } : {}),
  });
  return statusCode;
}

describe('every route', () => {
  it('lets in who has the scope that it asks for, and nobody else', async () => {
    const routes = Object.entries(service.app.server.openApi().paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.length).toBeGreaterThan(80);
    expect(routes).toEqual(expect.arrayContaining(Object.keys(OTHERWISE)));
    const wrong: string[] = [];
    for (const route of routes.filter((one) => one !== OF_A_SESSION)) {
      const demand = OTHERWISE[route] ?? (route.startsWith('GET ') ? 'read' : 'write');
      const stranger = await status(route, null);
      const refusal = SIGNED.test(route) ? 403 : 401;
      if ((stranger === refusal) !== (demand !== 'nothing')) wrong.push(`${route} without: ${stranger}`);
      for (const scope of SCOPES) {
        const answer = await status(route, keys.get(scope)!);
        const isLetIn = answer !== 401 && answer !== 403 && answer < 500;
        if (isLetIn !== ENOUGH[demand].includes(scope)) wrong.push(`${route} with ${scope}: ${answer}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is what the key of the settings may use', async () => {
    expect(await status('GET /v1/api-keys', TEST_KEY)).toBe(200);
  });
});
