import type { Principal } from '#access/keys/principal.js';

/** Whoever asks in tests that are not about who asks. */
export const PRINCIPAL: Principal = {
  id: 'key_test',
  type: 'api_key',
  name: 'Test',
  workspace: 'default',
  scopes: ['admin'],
  expiresAt: null,
};
