import { expect, it } from 'vitest';
import type { Authenticator } from '../../../src/access/authenticator.js';
import type { Principal } from '../../../src/access/principal.js';
import { carrierWebhookRoutes } from '../../../src/http/routes/carrier-webhooks.js';
import { systemClock } from '../../../src/kernel/clock.js';
import { CarrierPool } from '../../../src/telephony/carrier-pool.js';
import { dialectOf } from '../../../src/telephony/remote-carriers.js';
import { Switchboard } from '../../../src/telephony/switchboard.js';
import { createRecordingHost } from '../../support/carrier-host.js';
import { createMemoryLog } from '../../support/memory-log.js';
import { ScriptedCarrier } from '../../support/scripted-carrier.js';
import { startTestServer } from '../../support/server.js';

const WRITER: Principal = {
  id: 'key_1',
  type: 'api_key',
  name: 'A key',
  workspace: 'default',
  scopes: ['write'],
  expiresAt: null,
};

/** What is answered to an unsigned request with the credential of somebody. */
async function askedBy(principal: Principal): Promise<number> {
  const publicUrl = () => 'https://voice.example.com';
  const switchboard = new Switchboard({
    carriers: new CarrierPool([new ScriptedCarrier()], { usual: 'scripted' }),
    dialectOf,
    publicUrl,
    host: {
      ...createRecordingHost(),
      receive: async () => ({ kind: 'no_room' }),
      identify: async () => {},
      streamFailed: async () => {},
      recorded: async () => {},
    },
    clock: systemClock,
    log: createMemoryLog().log,
    greets: true,
  });
  const authenticator: Pick<Authenticator, 'authenticate'> = { authenticate: async () => principal };
  const parts = { switchboard, authenticator, clock: systemClock, publicUrl, allowsUnsigned: false };
  const { server, close } = await startTestServer({
    routes: (app) => void app.register(carrierWebhookRoutes, parts),
  });
  const { statusCode } = await server.inject({
    method: 'POST',
    url: '/voice',
    headers: { 'x-api-key': 'any' },
  });
  await close();
  return statusCode;
}

it.each<[string, Partial<Principal>, number]>([
  ['who runs the service', {}, 200],
  ['who may only look', { scopes: ['read'] }, 403],
  ['another workspace, whose keys must not speak for the numbers of others', { workspace: 'b' }, 403],
])('in the place of a carrier may speak: %s (%j → %i)', async (_who, more, status) => {
  expect(await askedBy({ ...WRITER, ...more })).toBe(status);
});
