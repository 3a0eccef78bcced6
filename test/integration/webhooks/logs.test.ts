import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyBody } from '#webhooks/deliveries/signature.js';
import { TEST_KEY } from '#test/support/test-service.js';
import { answerWith } from '#test/support/receiver.js';
import { openTrustingService, type Json, type TrustingService } from './trusting-service.js';

const LONG_AGO = '2026-01-01T00:00:00Z';

let trusting: TrustingService;
beforeAll(async () => {
  trusting = await openTrustingService({ listen: true });
});
afterAll(() => trusting.close());

async function register(payload: Json = {}): Promise<{ id: string; secret: string }> {
  const { body } = await trusting.ask('POST', '/v1/webhooks', { url: trusting.receiver.url, ...payload });
  return body as { id: string; secret: string };
}

/** Sends a test event; returns the delivery. */
async function deliver(webhookId: string, eventType = 'call.completed'): Promise<Json> {
  return (await trusting.ask('POST', `/v1/webhooks/${webhookId}/test`, { event_type: eventType })).body;
}

async function idsOf(url: string): Promise<unknown[]> {
  return ((await trusting.ask('GET', url)).body['data'] as Json[]).map(({ id }) => id);
}

describe('the log of deliveries', () => {
  it('is filtered by webhook, event, state, call and time', async () => {
    const [one, two] = [await register(), await register()];
    const completed = await deliver(one.id);
    const failed = await deliver(two.id, 'call.failed');
    trusting.receiver.answering = answerWith(404);
    const refused = await deliver(two.id);
    trusting.receiver.answering = answerWith(200);
    const database = new Database(join(trusting.service.dataDir, 'callwright.db'));
    database.prepare(`update deliveries set subject_id = 'call_1' where id = ?`).run(failed['id']);
    database.close();
    const both = `webhook_id=${one.id},${two.id}`;

    expect(await idsOf(`/v1/webhooks/logs?${both}`)).toEqual([refused['id'], failed['id'], completed['id']]);
    for (const [query, expected] of [
      [`webhook_id=${one.id}`, completed],
      [`${both}&event_type=call.failed`, failed],
      [`${both}&status=failed`, refused],
      ['call_id=call_1', failed],
      [`${both}&created_after=${LONG_AGO}&limit=1`, refused],
    ] as const)
      expect(await idsOf(`/v1/webhooks/logs?${query}`), query).toEqual([expected['id']]);
    expect(await idsOf(`/v1/webhooks/logs?${both}&created_after=2100-01-01T00:00:00Z`)).toEqual([]);
    expect(await idsOf(`/v1/webhooks/logs?${both}&created_before=${LONG_AGO}`)).toEqual([]);
    expect((await trusting.ask('GET', '/v1/webhooks/logs?status=lost')).status).toBe(400);
    expect(await trusting.ask('GET', '/v1/webhooks/logs?event_type=call.failed,call.lost')).toMatchObject({
      status: 400,
      body: { details: [{ field: 'query.event_type[1]' }] },
    });
    expect((await trusting.ask('GET', '/v1/webhooks/logs?event_type=scheduled_call.failed')).status).toBe(
      200,
    );
  });

  it('is paged', async () => {
    const { id } = await register();
    const made: unknown[] = [];
    for (let count = 0; count < 3; count += 1) made.unshift((await deliver(id))['id']);
    const first = await trusting.ask('GET', `/v1/webhooks/${id}/logs?limit=2`);

    expect(first.body['has_more']).toBe(true);
    const rest = await idsOf(`/v1/webhooks/${id}/logs?limit=2&cursor=${String(first.body['next_cursor'])}`);
    expect([...(first.body['data'] as Json[]).map((delivery) => delivery['id']), ...rest]).toEqual(made);
  });

  it('stays when the webhook is deleted, but its deliveries are not sent again', async () => {
    const { id } = await register();
    const delivery = await deliver(id);
    await trusting.ask('DELETE', `/v1/webhooks/${id}`);
    const sent = trusting.receiver.received.length;

    expect(await idsOf(`/v1/webhooks/${id}/logs`)).toEqual([delivery['id']]);
    expect((await trusting.ask('GET', `/v1/webhooks/logs/${String(delivery['id'])}`)).status).toBe(200);
    expect(await trusting.ask('POST', `/v1/webhooks/logs/${String(delivery['id'])}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state' },
    });
    expect(trusting.receiver.received).toHaveLength(sent);
  });

  it('of an unknown webhook is 404', async () => {
    for (const [method, url] of [
      ['GET', '/v1/webhooks/wh_unknown/logs'],
      ['GET', '/v1/webhooks/logs/dlv_unknown'],
      ['POST', '/v1/webhooks/logs/dlv_unknown/resend'],
      ['POST', '/v1/webhooks/wh_unknown/test'],
    ] as const)
      expect((await trusting.ask(method, url)).status, url).toBe(404);
    expect((await trusting.ask('POST', '/v1/webhooks/wh_unknown/replay', { since: LONG_AGO })).status).toBe(
      404,
    );
  });
});

describe('a failed delivery', () => {
  it('is sent again under its id when the receiver is back', async () => {
    const { id } = await register();
    trusting.receiver.answering = answerWith(500);
    const failed = await deliver(id);
    expect(failed).toMatchObject({ status: 'failed', error: 'server_error', status_code: 500 });
    trusting.receiver.answering = answerWith(200);
    const replayed = await trusting.ask('POST', `/v1/webhooks/${id}/replay`, { since: LONG_AGO });

    expect(replayed).toEqual({ status: 202, body: { queued: 1 } });
    const path = `/v1/webhooks/logs/${String(failed['id'])}`;
    await expect
      .poll(async () => (await trusting.ask('GET', path)).body)
      .toMatchObject({
        status: 'delivered',
        attempts: [
          { attempt: 1, error: 'server_error', success: false },
          { attempt: 2, error: null, success: true },
        ],
      });
    expect(trusting.receiver.received.slice(-2).map(({ headers }) => headers['webhook-id'])).toEqual([
      failed['event_id'],
      failed['event_id'],
    ]);
    expect((await trusting.ask('POST', `/v1/webhooks/${id}/replay`, { since: LONG_AGO })).body).toEqual({
      queued: 0,
    });
    expect((await trusting.ask('POST', `/v1/webhooks/${id}/replay`, {})).status).toBe(400);
  });
});

describe('a delivery that is sent on request with an idempotency key', () => {
  const askOnce = async (url: string, key: string, payload?: object) => {
    const { statusCode, headers, body } = await trusting.service.app.server.inject({
      method: 'POST',
      url,
      ...(payload && { payload }),
      headers: { 'x-api-key': TEST_KEY, 'idempotency-key': key },
    });
    return { status: statusCode, body, isReplayed: headers['idempotent-replayed'] === 'true' };
  };

  it('is sent once, and the response is replayed', async () => {
    const { id } = await register();
    const made = await deliver(id);
    const sent = trusting.receiver.received.length;
    for (const url of [`/v1/webhooks/${id}/test`, `/v1/webhooks/logs/${String(made['id'])}/resend`]) {
      const first = await askOnce(url, 'by-hand');
      expect(first).toMatchObject({ status: 200, isReplayed: false });
      expect(await askOnce(url, 'by-hand'), url).toEqual({ ...first, isReplayed: true });
    }
    expect(trusting.receiver.received).toHaveLength(sent + 2);
    expect(await idsOf(`/v1/webhooks/${id}/logs`)).toHaveLength(2);
    expect(await askOnce(`/v1/webhooks/${id}/test`, 'by-hand', { event_type: 'call.failed' })).toMatchObject({
      status: 422,
    });
  });

  it('is queued again once', async () => {
    const { id } = await register();
    await deliver(id);
    const replay = () =>
      askOnce(`/v1/webhooks/${id}/replay`, 'again', { since: LONG_AGO, status: 'delivered' });
    expect(await replay()).toEqual({ status: 202, body: '{"queued":1}', isReplayed: false });
    await expect
      .poll(async () => (await trusting.ask('GET', `/v1/webhooks/${id}/logs`)).body)
      .toMatchObject({ data: [{ status: 'delivered', attempts: 2 }] });
    expect(await replay()).toEqual({ status: 202, body: '{"queued":1}', isReplayed: true });
    expect((await trusting.ask('GET', `/v1/webhooks/${id}/logs`)).body).toMatchObject({
      data: [{ attempts: 2 }],
    });
  });
});

describe('a rotated secret', () => {
  it('is shown once, and both secrets sign during the overlap', async () => {
    const { id, secret } = await register();
    const rotated = await trusting.ask('POST', `/v1/webhooks/${id}/rotate-secret`, {
      overlap_seconds: 3_600,
    });
    expect(rotated.body['secret']).not.toBe(secret);
    expect(Date.parse(String(rotated.body['secret_overlap_until']))).toBeGreaterThan(0);
    expect((await trusting.ask('GET', `/v1/webhooks/${id}`)).body['secret']).toBeNull();
    await deliver(id);

    const { body, headers } = trusting.receiver.received.at(-1)!;
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(verifyBody(secret, body, String(headers['x-service-signature']))).toBe(true);
    const final = await trusting.ask('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_seconds: 0 });
    await deliver(id);
    const last = trusting.receiver.received.at(-1)!;
    expect(String(last.headers['webhook-signature']).split(' ')).toHaveLength(1);
    const signature = String(last.headers['x-service-signature']);
    expect(verifyBody(String(final.body['secret']), last.body, signature)).toBe(true);
    expect(
      (await trusting.ask('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_seconds: -1 })).status,
    ).toBe(400);
  });
});
