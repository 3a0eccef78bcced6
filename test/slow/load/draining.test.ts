import { expect, it, onTestFinished } from 'vitest';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { SocketClient } from '#test/support/socket-client.js';

async function openService(): Promise<TestService> {
  const service = await buildTestService({ listen: true, environment: { DRAIN_TIMEOUT_SECONDS: '20' } });
  onTestFinished(() => service.close());
  return service;
}

/** Somebody calls in; what their audio socket shows. */
async function tokenFor(service: TestService, callSid: string): Promise<string> {
  const { payload } = await service.app.server.inject({
    method: 'POST',
    url: '/voice',
    headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/x-www-form-urlencoded' },
    payload: `CallSid=${callSid}&From=%2B14155550100&To=%2B14155550177`,
  });
  return /name="token" value="([^"]+)"/.exec(payload)![1]!;
}

/** The carrier's end of an audio stream, as soon as the agent speaks. */
async function talkingCaller(service: TestService, callSid: string, token: string): Promise<SocketClient> {
  const caller = await SocketClient.open(`${service.baseUrl.replace('http', 'ws')}/ws/stream`);
  caller.say({ event: 'start', start: { streamSid: 'MZ1', callSid, customParameters: { token } } });
  await expect.poll(() => caller.texts.length).toBeGreaterThan(5);
  return caller;
}

async function inboundCalls(service: TestService) {
  const { body } = await service.request('GET', '/api/calls?direction=inbound');
  return (body as { data: { call_id: string }[] }).data;
}

it('a service that stops still talks with whoever was let in, and with nobody else', async () => {
  const service = await openService();
  const token = await tokenFor(service, 'CA1');
  const drained = service.app.drain();

  const stranger = await SocketClient.open(
    `${service.baseUrl.replace('http', 'ws')}/ws/stream?token=${TEST_KEY}`,
  );
  expect((await stranger.closed).code).toBe(1001);

  const caller = await talkingCaller(service, 'CA1', token);
  caller.socket.close();
  await drained;

  expect(await inboundCalls(service)).toMatchObject([{ status: 'completed' }]);
});

it('the live calls of a service that stops can still be worked on, and ended', async () => {
  const service = await openService();
  const caller = await talkingCaller(service, 'CA1', await tokenFor(service, 'CA1'));
  const [call] = await inboundCalls(service);
  const drained = service.app.drain();
  const path = `/api/calls/${call!.call_id}`;

  expect(await service.request('POST', `${path}/digits`, { digits: '1' })).toMatchObject({ status: 200 });
  expect(await service.request('POST', `${path}/disconnect`)).toMatchObject({ status: 200 });
  expect(await service.request('POST', '/outbound-call', { to_number: '+15550100005' })).toMatchObject({
    status: 503,
  });
  await caller.closed;
  await drained;

  expect(await inboundCalls(service)).toMatchObject([{ ended_reason: 'api_disconnect' }]);
});
