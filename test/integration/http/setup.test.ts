import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await buildTestService({ environment: { OPENAI_API_KEY: 'sk-a-secret-that-nobody-sees' } });
});
afterAll(() => service?.close());

it('says what is set up, and what to do next', async () => {
  const { status, body } = await service.request('GET', '/api/setup');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    items: [
      { name: 'carrier', status: 'trial', next: expect.stringContaining('CARRIER') as string },
      { name: 'language_model', status: 'ready', next: null },
      { name: 'public_address', status: 'trial', next: expect.stringContaining('SERVER_DOMAIN') as string },
      { name: 'api_keys', status: 'missing' },
      { name: 'phone_numbers', status: 'missing' },
      { name: 'webhooks', status: 'missing', detail: 'No program receives events.' },
    ],
  });
});

it('shows the settings in force to administrators, without what is secret', async () => {
  const { body } = await service.request('GET', '/api/settings');
  const { data } = body as {
    data: { name: string; value: string | null; is_set: boolean; is_secret: boolean }[];
  };
  const named = (name: string) => data.find((setting) => setting.name === name);
  expect(named('PORT')).toMatchObject({ value: '0', is_set: true, is_secret: false });
  expect(named('LOG_LEVEL')).toMatchObject({ value: 'INFO', is_set: false });
  expect(named('API_KEYS')).toMatchObject({ value: null, is_set: true, is_secret: true });
  expect(named('OPENAI_API_KEY')).toMatchObject({ value: null, is_set: true, is_secret: true });
  for (const secret of [TEST_KEY, 'sk-a-secret']) expect(JSON.stringify(body)).not.toContain(secret);

  const made = await service.request('POST', '/v1/api-keys', { name: 'Desk', scopes: ['write'] });
  const answer = await service.app.server.inject({
    url: '/api/settings',
    headers: { 'x-api-key': (made.body as { key: string }).key },
  });
  expect(answer.statusCode).toBe(403);
});
