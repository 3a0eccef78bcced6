import type { Principal } from '#access/keys/principal.js';

/** The principal of tests that are not about authentication. */
export const PRINCIPAL: Principal = {
  id: 'key_test',
  type: 'api_key',
  name: 'Test',
  workspace: 'default',
  scopes: ['admin'],
  expiresAt: null,
};
