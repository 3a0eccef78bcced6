import { describe, expect, it } from 'vitest';
import { eventPurge } from '#webhooks/event-retention.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { SenderRig, WORKSPACE } from './sender-rig.js';
import { webhookTestTransactions } from './webhook-transactions.js';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

describe.each(engines)('old events, on %s', (engine) => {
  const open = async () => SenderRig.open(await databaseOn(engine));

  /** A whole round of the purge; returns how many slices it took. */
  async function purge(rig: SenderRig, once = eventPurge(rig.store, KEPT_DAYS)): Promise<number> {
    let slices = 1;
    while (await once(rig.clock.wallMs())) slices += 1;
    return slices;
  }
  const kept = (rig: SenderRig) => rig.store.read(webhookTestTransactions.kept, {});

  it('are deleted with their deliveries and attempts, slice by slice, and not a day early', async () => {
    const rig = await open();
    await rig.register({ retry_policy: { max_attempts: 2 } });
    let isWell = false;
    rig.answer = () => (isWell ? {} : { outcome: 'server_error', statusCode: 500 });
    await rig.happens(3);
    await rig.run(300_000, async () => (isWell = true));
    await rig.happens(120);
    await rig.run();
    expect(await kept(rig)).toEqual({ events: 123, deliveries: 123, attempts: 126 });
    const madeAt = rig.clock.wallMs();

    rig.clock.setWall(madeAt + KEPT_DAYS * DAY_MS - 600_000);
    await purge(rig);
    expect((await kept(rig)).events).toBe(123);

    const [fresh] = await rig.happens(1);
    await rig.run(0);
    rig.clock.setWall(madeAt + KEPT_DAYS * DAY_MS + 1);
    expect(await purge(rig)).toBe(7);
    expect(await kept(rig)).toEqual({ events: 1, deliveries: 1, attempts: 1 });
    const { items } = await rig.deliveries.list({ workspace: WORKSPACE }, null, 10);
    expect(items.map(({ event_id }) => event_id)).toEqual([fresh]);
  });

  it('stay complete while a delivery is open, and do not stop the deletion of others', async () => {
    const rig = await open();
    await rig.register({ url: 'https://good.example.com/' });
    await rig.register({ url: 'https://bad.example.com/', retry_policy: { initial_delay_seconds: 86_400 } });
    rig.answer = ({ url }) =>
      url.includes('bad') ? { outcome: 'server_error', statusCode: 500 } : { outcome: 'success' };
    await rig.happens(60);
    await rig.step();
    expect((await rig.statuses())['pending']).toBeGreaterThan(0);
    rig.clock.setWall(rig.clock.wallMs() + 1);
    await rig.happens(60, 'batch.completed');
    const waiting = await rig.statuses();
    rig.clock.setWall(rig.clock.wallMs() + (KEPT_DAYS + 1) * DAY_MS);
    await purge(rig);
    expect(await rig.statuses()).toEqual(waiting);
    expect((await kept(rig)).events).toBe(120);

    const held = await rig.sender.claim(1_000);
    expect(held.length).toBeGreaterThan(0);
    await purge(rig);
    expect((await kept(rig)).events).toBe(120);
    await Promise.all(held.map((delivery) => rig.sender.perform(delivery)));
    rig.answer = () => ({});
    await rig.run();
    await purge(rig);
    expect(await kept(rig)).toEqual({ events: 0, deliveries: 0, attempts: 0 });
  });

  it('are deleted without subscribers, too', async () => {
    const rig = await open();
    await rig.happens(130);
    rig.clock.setWall(rig.clock.wallMs() + (KEPT_DAYS + 1) * DAY_MS);
    expect(await purge(rig)).toBe(7);
    expect((await kept(rig)).events).toBe(0);
  });
});
