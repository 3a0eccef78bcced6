import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestHouse, TEST_KEY, type TestHouse } from '../../support/house.js';
import { SocketClient } from '../../support/socket-client.js';

let house: TestHouse;
beforeAll(async () => {
  house = await buildTestHouse({ listen: true, environment: { DRAIN_TIMEOUT_SECONDS: '20' } });
});
afterAll(() => house.close());

it('a service that stops still talks with whoever was let in, and with nobody else', async () => {
  const { payload } = await house.app.server.inject({
    method: 'POST',
    url: '/voice',
    headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'CallSid=CA1&From=%2B14155550100&To=%2B14155550177',
  });
  const token = /name="token" value="([^"]+)"/.exec(payload)![1]!;
  const drained = house.app.drain();
  const url = house.baseUrl.replace('http', 'ws');

  const stranger = await SocketClient.open(`${url}/ws/stream?token=${TEST_KEY}`);
  expect((await stranger.closed).code).toBe(1001);

  const caller = await SocketClient.open(`${url}/ws/stream`);
  caller.say({ event: 'start', start: { streamSid: 'MZ1', callSid: 'CA1', customParameters: { token } } });
  await expect.poll(() => caller.texts.length).toBeGreaterThan(5);
  caller.socket.close();
  await drained;

  const { body } = await house.request('GET', '/api/calls?direction=inbound');
  expect((body as { data: unknown[] }).data).toMatchObject([{ status: 'completed' }]);
});
