import { expect, it } from 'vitest';
import type { Principal } from '#access/keys/principal.js';
import { openCarrierRoutes } from './carrier-routes.js';

const WRITER: Principal = {
  id: 'key_1',
  type: 'api_key',
  name: 'A key',
  workspace: 'default',
  scopes: ['write'],
  expiresAt: null,
};

it.each<[string, Partial<Principal>, number]>([
  ['who runs the service', {}, 200],
  ['who may only look', { scopes: ['read'] }, 403],
  ['another workspace, whose keys must not speak for the numbers of others', { workspace: 'b' }, 403],
])('in the place of a carrier may speak: %s (%j → %i)', async (_who, more, status) => {
  const { ask, close } = await openCarrierRoutes({ authenticate: async () => ({ ...WRITER, ...more }) });
  expect(await ask('/voice', { 'x-api-key': 'any' })).toMatchObject({ status });
  await close();
});
