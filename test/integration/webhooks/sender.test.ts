import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { WEBHOOK_ATTEMPTS, WEBHOOKS_DISABLED } from '#webhooks/deliveries/attempt-end.js';
import { deliveryTransactions } from '#webhooks/deliveries/delivery-store.js';
import { verifyBody } from '#webhooks/deliveries/signature.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { openPostgres } from '#test/support/postgres.js';
import { SenderRig, WORKSPACE } from './sender-rig.js';

const postgres = await openPostgres();
const DAY_MS = 86_400_000;
const SERVER_ERROR = { outcome: 'server_error', statusCode: 500 } as const;

describe.each(engines)('the sender on %s', (engine) => {
  const open = async () => SenderRig.open(await databaseOn(engine));

  it('sends every event to all subscribed webhooks, signed with their secrets', async () => {
    const rig = await open();
    const one = await rig.register({ url: 'https://one.example.com/', events: ['call.*'] });
    const two = await rig.register({ url: 'https://two.example.com/', events: ['call.completed'] });
    await rig.register({ url: 'https://three.example.com/', events: ['batch.*'] });
    const ids = await rig.happens(25);
    await rig.happens(1, 'call.failed');
    await rig.run();

    for (const [webhook, count] of [
      [one, 26],
      [two, 25],
    ] as const) {
      const sent = rig.sent.filter(({ headers }) => headers['x-service-webhook'] === webhook.id);
      expect(sent).toHaveLength(count);
      for (const { body, headers } of sent)
        expect(verifyBody(webhook.secret, body, headers['x-service-signature']!)).toBe(true);
      expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual(expect.arrayContaining(ids));
    }
    expect(rig.sent).toHaveLength(51);
    expect(await rig.statuses()).toEqual({ delivered: 51 });
  });

  it('reports the backlog, its age, and outcomes of attempts', async () => {
    const rig = await open();
    const now = rig.clock.wallMs();
    await rig.register({ events: ['call.completed'] });
    const failing = await rig.register({ events: ['call.failed'] });
    expect(await rig.store.read(deliveryTransactions.backlog, {})).toEqual({
      pending: 0,
      oldestDueAt: { answering: null, failing: null },
    });
    await rig.happens(10, 'call.failed');
    rig.answer = () => SERVER_ERROR;
    await rig.step();
    await rig.clock.advance(1_000);
    await rig.happens(3);
    const backlog = await rig.store.read(deliveryTransactions.backlog, {});
    expect(backlog).toMatchObject({ pending: 13, oldestDueAt: { answering: now + 1_000 } });
    expect(backlog.oldestDueAt.failing).toBeGreaterThanOrEqual(now + 60_000);
    expect(rig.counters.of(WEBHOOK_ATTEMPTS)).toEqual([{ labels: { outcome: 'server_error' }, value: 10 }]);
    await rig.webhooks.remove({ workspace: WORKSPACE, id: failing.id });
    expect((await rig.store.read(deliveryTransactions.backlog, {})).oldestDueAt.failing).toBeNull();
  });

  it('has at most ten concurrent requests to one webhook and a hundred in all', async () => {
    const rig = await open();
    for (let count = 0; count < 12; count += 1) await rig.register();
    await rig.happens(15);
    const deliveries = await rig.sender.claim(1_000);
    const byWebhook = new Map<string, number>();
    for (const { webhook_id } of deliveries) byWebhook.set(webhook_id, (byWebhook.get(webhook_id) ?? 0) + 1);

    expect(deliveries).toHaveLength(100);
    expect(Math.max(...byWebhook.values())).toBe(10);
    expect(await rig.sender.claim(1_000)).toEqual([]);
    expect(await rig.sender.nextDueAt()).toBeNull();
  });

  it('probes a webhook that failed ten times every 30 seconds, and sends the rest when it is back', async () => {
    const rig = await open();
    const { id } = await rig.register({
      retry_policy: { initial_delay_seconds: 3_600, max_delay_seconds: 3_600 },
    });
    rig.answer = () => SERVER_ERROR;
    await rig.happens(40);
    await rig.run(0);
    expect(rig.sent).toHaveLength(10);

    await rig.run(95_000);
    expect(rig.sent).toHaveLength(13);
    const [first, second, third] = rig.sent.slice(10).map(({ at }) => at);
    expect(second! - first!).toBeGreaterThanOrEqual(30_000);
    expect(third! - second!).toBeGreaterThanOrEqual(30_000);

    rig.answer = () => ({});
    await rig.run(31_000);
    expect(rig.sent).toHaveLength(40);
    expect(await rig.statuses()).toEqual({ delivered: 27, pending: 13 });
    expect((await rig.webhooks.get({ workspace: WORKSPACE, id })).active).toBe(true);
  });

  it('never lets a failing webhook delay another', async () => {
    const rig = await open();
    const bad = await rig.register({ url: 'https://bad.example.com/' });
    await rig.register({ url: 'https://good.example.com/' });
    rig.answer = ({ url }) => (url.includes('bad') ? SERVER_ERROR : {});
    await rig.happens(300);
    await rig.run(0);

    const sent = rig.sent.filter(({ headers }) => headers['x-service-webhook'] !== bad.id);
    expect(sent).toHaveLength(300);
    expect(rig.sent.length - sent.length).toBe(10);
  });

  it('disables a webhook that answers 410, and cancels its deliveries', async () => {
    const rig = await open();
    const { id } = await rig.register();
    rig.answer = () => ({ outcome: 'gone', statusCode: 410 });
    await rig.happens(30);
    await rig.run();

    expect(rig.sent).toHaveLength(10);
    expect(await rig.statuses()).toEqual({ failed: 10, cancelled: 20 });
    const key = { workspace: WORKSPACE, id };
    expect(await rig.webhooks.get(key)).toMatchObject({
      active: false,
      status: 'disabled',
      disabled_reason: 'gone',
    });
    expect(rig.counters.of(WEBHOOKS_DISABLED)).toEqual([{ labels: { disabled_reason: 'gone' }, value: 1 }]);

    rig.answer = () => ({});
    expect(await rig.webhooks.update(key, { active: true })).toMatchObject({
      active: true,
      status: 'active',
    });
    const since = 0;
    const until = rig.clock.wallMs() + 1;
    expect(await rig.deliveries.replay(key, { since, until, status: 'cancelled' }, null)).toEqual({
      queued: 20,
    });
    expect(await rig.deliveries.replay(key, { since, until, status: 'failed' }, null)).toEqual({
      queued: 10,
    });
    await rig.run();
    expect(await rig.statuses()).toEqual({ delivered: 30 });
  });

  it('cancels waiting retries when the webhook is deleted, and not when it is deactivated', async () => {
    const rig = await open();
    const { id } = await rig.register();
    rig.answer = () => SERVER_ERROR;
    await rig.happens(3);
    await rig.run(0);
    const key = { workspace: WORKSPACE, id };
    await rig.webhooks.update(key, { active: false });
    expect(await rig.statuses()).toEqual({ pending: 3 });
    await rig.webhooks.remove(key);
    expect(await rig.statuses()).toEqual({ cancelled: 3 });
    await rig.run();
    expect(rig.sent).toHaveLength(3);
  });

  it('disables a webhook that has failed for five days, and not before', async () => {
    const rig = await open();
    const { id } = await rig.register({ retry_policy: { max_attempts: 0 } });
    const key = { workspace: WORKSPACE, id };
    rig.answer = () => SERVER_ERROR;
    await rig.happens(25);
    await rig.run(5 * DAY_MS - 60_000);
    expect(await rig.statuses()).toEqual({ failed: 25 });
    await rig.happens();
    await rig.run(0);
    expect((await rig.webhooks.get(key)).active).toBe(true);

    rig.clock.setWall(rig.clock.wallMs() + 5 * DAY_MS);
    await rig.happens();
    await rig.run();
    expect(await rig.webhooks.get(key)).toMatchObject({ active: false, disabled_reason: 'failing' });
    expect(rig.counters.of(WEBHOOKS_DISABLED)).toEqual([
      { labels: { disabled_reason: 'failing' }, value: 1 },
    ]);
  });

  it('resets the failures of a webhook after a success', async () => {
    const rig = await open();
    const { id } = await rig.register({ retry_policy: { max_attempts: 0 } });
    const meets = async (answer: typeof rig.answer, count = 1) => {
      rig.answer = answer;
      await rig.happens(count);
      await rig.run();
    };
    await meets(() => SERVER_ERROR, 25);
    await meets(() => ({}));
    await meets(() => SERVER_ERROR);
    rig.clock.setWall(rig.clock.wallMs() + 6 * DAY_MS);
    await meets(() => SERVER_ERROR);
    expect(await rig.statuses()).toEqual({ failed: 27, delivered: 1 });
    expect((await rig.webhooks.get({ workspace: WORKSPACE, id })).active).toBe(true);
  });

  it('does not count failures of attempts on request', async () => {
    const rig = await open();
    const { id } = await rig.register({ retry_policy: { max_attempts: 0 } });
    const key = { workspace: WORKSPACE, id };
    rig.answer = () => SERVER_ERROR;
    await rig.happens(25);
    await rig.run();
    rig.clock.setWall(rig.clock.wallMs() + 6 * DAY_MS);
    expect(await rig.deliveries.test(key, 'call.completed', () => null)).toMatchObject({ status: 'failed' });
    expect((await rig.webhooks.get(key)).active).toBe(true);
  });

  it('sends deliveries of a dead process when their leases end', async () => {
    const rig = await open();
    await rig.register();
    await rig.happens(3);
    expect(await rig.sender.claim(2)).toHaveLength(2);
    rig.clock.setWall(rig.clock.wallMs() + 15_001);
    const deliveries = await rig.sender.claim(10);

    expect(deliveries).toHaveLength(3);
    expect(deliveries.map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
  });

  it('releases running deliveries at a stop', async () => {
    const rig = await open();
    await rig.register();
    await rig.happens();
    rig.answer = () => ({ outcome: 'stopped' });
    await rig.step();

    expect(await rig.statuses()).toEqual({ pending: 1 });
    rig.answer = () => ({});
    await rig.run();
    expect(await rig.statuses()).toEqual({ delivered: 1 });
  });

  it('signs with both secrets during the overlap, and with the new one after it', async () => {
    const rig = await open();
    const { id, secret } = await rig.register();
    const key = { workspace: WORKSPACE, id };
    const rotated = await rig.webhooks.rotateSecret(key, 60, () => null);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    await rig.happens();
    await rig.run();
    rig.clock.setWall(rig.clock.wallMs() + 60_000);
    await rig.happens();
    await rig.run();

    const [during, after] = rig.sent;
    expect(during!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    expect(verifyBody(secret, during!.body, during!.headers['x-service-signature']!)).toBe(true);
    expect(after!.headers['webhook-signature']!.split(' ')).toHaveLength(1);
    expect(verifyBody(rotated.secret!, after!.body, after!.headers['x-service-signature']!)).toBe(true);
  });
});

describe.skipIf(postgres.isMissing)('several senders on one database', () => {
  it('continue beside one that is stalled with a claimed delivery', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const rig = await SenderRig.open({ databaseUrl });
    await rig.register();
    await rig.happens(3);
    const [held] = await rig.sender.claim(2);
    rig.clock.setWall(rig.clock.wallMs() + 15_001);
    const other = new pg.Client(databaseUrl);
    await other.connect();
    await other.query('begin');
    await other.query('select * from deliveries where id = $1 for update', [held!.id]);
    const deliveries = await rig.sender.claim(10);
    await other.end();
    expect(deliveries).toHaveLength(2);
    expect(deliveries.map(({ id }) => id)).not.toContain(held!.id);

    rig.clock.setWall(rig.clock.wallMs() + 1_000);
    await expect.poll(() => rig.sender.claim(10)).toMatchObject([{ id: held!.id }]);
  });
});
