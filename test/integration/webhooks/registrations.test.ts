import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPE_NAMES, USUAL_EVENT_TYPES } from '#events/event-types.js';
import { openTrustingService, type Json, type TrustingService } from './trusting-service.js';

let trusting: TrustingService;
beforeAll(async () => {
  trusting = await openTrustingService();
});
afterAll(() => trusting.close());
const create = async (payload: Json = {}) =>
  (await trusting.ask('POST', '/v1/webhooks', { url: `${trusting.receiver.url}/hook`, ...payload })).body;

describe('a registration', () => {
  it('is created with its defaults, and shows its secret only then', async () => {
    const { status, body } = await trusting.ask('POST', '/v1/webhooks', { url: trusting.receiver.url });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'webhook',
      url: trusting.receiver.url,
      events: USUAL_EVENT_TYPES,
      active: true,
      status: 'active',
      filters: {},
      retry_policy: {
        max_attempts: 3,
        backoff_multiplier: 5,
        initial_delay_seconds: 60,
        max_delay_seconds: 900,
      },
      last_delivery_at: null,
    });
    expect(body['webhook_id']).toBe(body['id']);
    expect(body['secret']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const read = await trusting.ask('GET', `/v1/webhooks/${String(body['id'])}`);
    expect(read.body).toEqual({ ...body, secret: null });
    expect(
      String(body['secret']).replace(/=$/, '').endsWith(String(read.body['secret_hint']).slice(-4)),
    ).toBe(true);
  });

  it('accepts a secret of the client, groups of events, filters and headers', async () => {
    const body = await create({
      secret: 'a-secret-of-my-own-42',
      events: ['batch.*', 'call.failed'],
      filters: { status: 'Completed', min_duration: 30 },
      headers: { authorization: 'Bearer 8c1f' },
      description: 'CRM',
      active: false,
    });

    expect(body).toMatchObject({
      secret: 'a-secret-of-my-own-42',
      events: ['call.failed', 'batch.initiated', 'batch.in_progress', 'batch.completed', 'batch.failed'],
      filters: { status: 'completed', min_duration: 30 },
      headers: { authorization: '(hidden)' },
      description: 'CRM',
      active: false,
      status: 'inactive',
    });
  });

  it.each([
    ['http', { url: 'http://example.com/' }, 'url', 'webhook url must use https'],
    ['no address', { url: 'example.com' }, 'url', 'webhook url must use https'],
    ['nothing', {}, 'url', 'request validation failed'],
    [
      'an unknown event',
      { url: 'https://example.com', events: ['call.begun'] },
      'events[0]',
      'request validation failed',
    ],
    ['no event', { url: 'https://example.com', events: [] }, 'events', 'request validation failed'],
    [
      'too many retries',
      { url: 'https://example.com', retry_policy: { max_attempts: 21 } },
      'retry_policy.max_attempts',
      'request validation failed',
    ],
    [
      'a short secret',
      { url: 'https://example.com', secret: 'short' },
      'secret',
      'request validation failed',
    ],
    [
      'a header of ours',
      { url: 'https://example.com', headers: { 'Webhook-Id': '1' } },
      'headers.Webhook-Id',
      'request validation failed',
    ],
    [
      'an address that is not what it seems',
      { url: 'https://exam\nple.com' },
      'url',
      'request validation failed',
    ],
    ['half a character', { url: 'https://example.com/\ud800' }, 'url', 'request validation failed'],
    [
      'one header twice',
      { url: 'https://example.com', headers: { 'X-A': '1', 'x-a': '2' } },
      'headers.x-a',
      'request validation failed',
    ],
    [
      'what is no header',
      { url: 'https://example.com', headers: { 'x a': '1' } },
      'headers.x a',
      'request validation failed',
    ],
    [
      'an unknown status',
      { url: 'https://example.com', filters: { status: 'gone' } },
      'filters.status',
      'request validation failed',
    ],
  ])('is refused for %s', async (_case, payload, field, error) => {
    const { status, body } = await trusting.ask('POST', '/v1/webhooks', payload);

    expect(status).toBe(400);
    expect(body).toMatchObject({ error, details: [{ field }] });
  });

  it('is merged with the fields of an update', async () => {
    const { id } = await create({ filters: { direction: 'outbound', min_duration: 30 } });
    const path = `/v1/webhooks/${String(id)}`;
    const policy = { max_attempts: 5 };
    const changed = await trusting.ask('PUT', path, {
      retry_policy: policy,
      filters: { min_duration: null, status: 'failed' },
    });

    expect(changed.body).toMatchObject({
      retry_policy: {
        max_attempts: 5,
        backoff_multiplier: 5,
        initial_delay_seconds: 60,
        max_delay_seconds: 900,
      },
      filters: { direction: 'outbound', status: 'failed' },
      secret: null,
    });
    expect(changed.body['filters']).not.toHaveProperty('min_duration');
    const cleared = await trusting.ask('PATCH', path, {
      filters: null,
      active: false,
      events: ['call.failed'],
    });
    expect(cleared.body).toMatchObject({
      filters: {},
      active: false,
      status: 'inactive',
      events: ['call.failed'],
    });
    expect((await trusting.ask('PUT', path, { url: 'http://example.com' })).status).toBe(400);
  });

  it('is listed by its events, and not found after its deletion', async () => {
    const { id } = await create({ events: ['batch.failed'], active: false });
    const listed = await trusting.ask('GET', '/v1/webhooks?event=batch.failed&active=false');
    expect((listed.body['data'] as Json[])[0]).toMatchObject({ id, secret: null });

    const path = `/v1/webhooks/${String(id)}`;
    expect(await trusting.ask('DELETE', path)).toMatchObject({
      status: 200,
      body: { id, deleted: true, success: true },
    });
    for (const [method, url] of [
      ['GET', path],
      ['DELETE', path],
      ['PUT', path],
      ['POST', `${path}/rotate-secret`],
      ['POST', `${path}/test`],
    ] as const) {
      const answer = await trusting.ask(method, url, method === 'GET' ? undefined : {});
      expect(answer, `${method} ${url}`).toMatchObject({
        status: 404,
        body: { error: 'webhook does not exist' },
      });
    }
  });

  it('is created once for an idempotency key, and the response is replayed', async () => {
    const post = () =>
      trusting.service.app.server.inject({
        method: 'POST',
        url: '/v1/webhooks',
        headers: { 'x-api-key': 'test-key-0123456789abcdef', 'idempotency-key': 'once' },
        payload: { url: trusting.receiver.url },
      });
    const [first, second] = [await post(), await post()];

    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.json()).toEqual(first.json());
  });
});

describe('a test delivery', () => {
  it('is sent at once, also when the webhook is inactive, and is in the log', async () => {
    const webhook = await create({ active: false });
    const before = trusting.receiver.received.length;
    const { status, body } = await trusting.ask('POST', `/v1/webhooks/${String(webhook['id'])}/test`, {
      event_type: 'call.failed',
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'webhook_delivery',
      webhook_id: webhook['id'],
      event_type: 'call.failed',
      status: 'delivered',
      success: true,
      attempts: 1,
      status_code: 200,
      response_body: 'ok',
      error: null,
    });
    const received = trusting.receiver.received[before]!;
    expect(received.path).toBe('/hook');
    expect(JSON.parse(received.body)).toMatchObject({
      event_type: 'call.failed',
      webhook_id: body['event_id'],
    });
    expect(received.headers).toMatchObject({
      'webhook-id': body['event_id'],
      'x-service-delivery': body['id'],
      'x-service-webhook': webhook['id'],
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Callwright/1.0',
    });
    const detail = await trusting.ask('GET', `/v1/webhooks/logs/${String(body['id'])}`);
    expect(detail.body).toMatchObject({
      request_body: received.body,
      attempts: [{ attempt: 1, status_code: 200, success: true }],
    });
    const logs = await trusting.ask(
      'GET',
      `/v1/webhooks/${String(webhook['id'])}/logs?status=delivered&limit=5000`,
    );
    expect((logs.body['data'] as Json[]).map(({ id }) => id)).toEqual([body['id']]);
  });

  it('can be sent again under the same id', async () => {
    const webhook = await create();
    const { body } = await trusting.ask('POST', `/v1/webhooks/${String(webhook['id'])}/test`);
    const again = await trusting.ask('POST', `/v1/webhooks/logs/${String(body['id'])}/resend`);

    expect(again.body).toMatchObject({ id: body['id'], attempts: 2, status: 'delivered' });
    const bodies = trusting.receiver.received.slice(-2).map((received) => received.body);
    expect(bodies[0]).toBe(bodies[1]);
  });
});

describe('the event types', () => {
  it('are listed with their schemas in openapi.json', async () => {
    const { body } = await trusting.ask('GET', '/v1/webhooks/event-types');
    const types = body['data'] as { event_type: string; schema: string }[];

    expect(types.map((type) => type.event_type)).toEqual(EVENT_TYPE_NAMES);
  });
});
