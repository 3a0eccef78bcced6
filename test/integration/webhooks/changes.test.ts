import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyBody } from '#webhooks/deliveries/signature.js';
import { openTrustingService, type Json, type TrustingService } from './trusting-service.js';

let trusting: TrustingService;
beforeAll(async () => {
  trusting = await openTrustingService();
});
afterAll(() => trusting.close());

async function create(payload: Json): Promise<string> {
  const { body } = await trusting.ask('POST', '/v1/webhooks', {
    url: `${trusting.receiver.url}/hook`,
    ...payload,
  });
  return `/v1/webhooks/${String(body['id'])}`;
}

/** What the receiver gets now. */
async function delivered(path: string) {
  await trusting.ask('POST', `${path}/test`);
  return trusting.receiver.received.at(-1)!;
}

describe('a webhook that is updated with its own resource', () => {
  it('keeps the hidden values of its headers', async () => {
    const path = await create({ headers: { 'X-Tenant': 'acme', Authorization: 'Bearer 8c1f' } });

    const { body: read } = await trusting.ask('GET', path);
    const changed = await trusting.ask('PUT', path, { ...read, description: 'CRM' });

    expect(changed.status).toBe(200);
    expect((await delivered(path)).headers).toMatchObject({
      'x-tenant': 'acme',
      authorization: 'Bearer 8c1f',
    });
  });

  it('keeps a header with a hidden value, and replaces the others', async () => {
    const path = await create({ headers: { 'X-Tenant': 'acme', 'X-Key': 'old' } });

    await trusting.ask('PATCH', path, { headers: { 'x-tenant': '(hidden)', 'X-Key': 'new' } });

    expect((await delivered(path)).headers).toMatchObject({ 'x-tenant': 'acme', 'x-key': 'new' });
  });

  it('keeps its hidden secret', async () => {
    const path = await create({ secret: 'a-secret-of-my-own-42' });

    const { body: read } = await trusting.ask('GET', path);
    await trusting.ask('PUT', path, read);

    const { body, headers } = await delivered(path);
    expect(verifyBody('a-secret-of-my-own-42', body, String(headers['x-service-signature']))).toBe(true);
  });
});

it('a hidden value is refused for a header that does not exist', async () => {
  const path = await create({});

  const refusals = [
    await trusting.ask('PUT', path, { headers: { 'X-Key': '(hidden)' } }),
    await trusting.ask('POST', '/v1/webhooks', {
      url: trusting.receiver.url,
      headers: { 'X-Key': '(hidden)' },
    }),
  ];

  for (const { status, body } of refusals) {
    expect(status).toBe(400);
    expect(body['details']).toMatchObject([{ field: 'headers.X-Key' }]);
  }
});

describe('a secret of the client', () => {
  it('signs from the change on, and the previous secret no more', async () => {
    const path = await create({ secret: 'a-secret-of-my-own-42' });
    await trusting.ask('POST', `${path}/rotate-secret`);

    const { status, body: changed } = await trusting.ask('PUT', path, { secret: 'another-of-my-own-43' });

    expect(status).toBe(200);
    expect(changed).toMatchObject({ secret: null, secret_hint: '…n-43', secret_overlap_until: null });
    const { body, headers } = await delivered(path);
    expect(verifyBody('another-of-my-own-43', body, String(headers['x-service-signature']))).toBe(true);
    expect(headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });

  it('is refused when it is too short or has blanks', async () => {
    const { status, body } = await trusting.ask('PUT', await create({}), { secret: 'short' });

    expect(status).toBe(400);
    expect(body['details']).toMatchObject([{ field: 'secret' }]);
  });
});
