import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '#webhooks/deliveries/http-attempt.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { SenderRig, WORKSPACE } from './sender-rig.js';

const SERVER_ERROR = { outcome: 'server_error', statusCode: 500 } as const;
const GONE = { outcome: 'gone', statusCode: 410 } as const;

const SOON = { interval: 1 };

/** Takes what there is room for and sends it to receivers that answer when they are told. */
async function hold(rig: SenderRig) {
  const answers: (() => void)[] = [];
  const under = { now: 0, most: 0 };
  let isOpen = false;
  let result: Partial<AttemptResult> = {};
  rig.answer = async () => {
    under.now += 1;
    under.most = Math.max(under.most, under.now);
    if (!isOpen) await new Promise<void>((resolve) => answers.push(resolve));
    under.now -= 1;
    return result;
  };
  const deliveries = await rig.sender.claim(1_000);
  const performed = deliveries.map((delivery) => rig.sender.perform(delivery));
  return {
    deliveries,
    under,
    /** To the one that waits longest. */
    answer: () => answers.shift()!(),
    async answerAll(withResult: Partial<AttemptResult> = {}) {
      isOpen = true;
      result = withResult;
      for (const answer of answers) answer();
      await Promise.all(performed);
    },
  };
}

describe.each(engines)('deliveries that are claimed ahead, on %s', (engine) => {
  const open = async () => SenderRig.open(await databaseOn(engine));

  /** A webhook with more deliveries than the twenty that are claimed, of which ten are being sent. */
  const busy = async () => {
    const rig = await open();
    const { id } = await rig.register();
    await rig.happens(30);
    await rig.step();
    const held = await hold(rig);
    await expect.poll(() => held.under.now, SOON).toBe(10);
    return { rig, id, answerAll: held.answerAll };
  };

  it('claims more for a receiver that answers quickly, with at most ten concurrent requests', async () => {
    const rig = await open();
    await rig.register();
    await rig.happens(41);
    await rig.step();
    const { deliveries, answerAll, under } = await hold(rig);
    expect(deliveries).toHaveLength(20);
    await expect.poll(() => under.now, SOON).toBe(10);
    await answerAll();

    expect(under.most).toBe(10);
    expect(await rig.statuses()).toEqual({ delivered: 30, pending: 11 });
  });

  it('releases deliveries that waited too long for a receiver that no longer answers', async () => {
    const { rig, answerAll } = await busy();
    await rig.clock.advance(1_001);
    await answerAll();

    expect(rig.sent).toHaveLength(20);
    expect(await rig.statuses()).toEqual({ delivered: 20, pending: 10 });
    await rig.run();
    expect(await rig.statuses()).toEqual({ delivered: 30 });
  });

  it('has a place for another webhook beside five that suddenly hang', async () => {
    const rig = await open();
    for (let count = 0; count < 5; count += 1) await rig.register();
    await rig.happens(30);
    await rig.step();
    const { deliveries, under, answerAll } = await hold(rig);
    expect(deliveries).toHaveLength(100);
    await expect.poll(() => under.now, SOON).toBe(50);
    const { id } = await rig.register();
    await rig.happens();
    expect((await rig.sender.claim(1_000)).map(({ webhook_id }) => webhook_id)).toEqual([id]);
    await answerAll();
  });

  it('reserves no place for slow webhooks with long queues', async () => {
    const rig = await open();
    for (let count = 0; count < 10; count += 1) await rig.register();
    await rig.happens(15);
    const { under, answer, answerAll } = await hold(rig);
    await expect.poll(() => under.now, SOON).toBe(100);
    rig.clock.setWall(rig.clock.wallMs() + 5_000);
    const { id } = await rig.register();
    await rig.happens();
    answer();
    await expect.poll(async () => (await rig.statuses())['delivered'], SOON).toBe(1);
    expect((await rig.sender.claim(1_000)).map(({ webhook_id }) => webhook_id)).toEqual([id]);
    await answerAll();
  });

  it.each(['is gone', 'fails', 'has another secret', 'is switched off', 'is deleted'])(
    'gives back what waits for a webhook that %s',
    async (what) => {
      const { rig, id, answerAll } = await busy();
      const key = { workspace: WORKSPACE, id };
      if (what === 'has another secret') await rig.webhooks.rotateSecret(key, 0, () => null);
      if (what === 'is switched off') await rig.webhooks.update(key, { active: false });
      if (what === 'is deleted') await rig.webhooks.remove(key);
      const answers: Record<string, Partial<AttemptResult>> = { 'is gone': GONE, fails: SERVER_ERROR };
      await answerAll(answers[what]);

      expect(rig.sent).toHaveLength(20);
      rig.answer = () => ({});
      await rig.run(0);
      expect(rig.sent).toHaveLength(what === 'has another secret' ? 30 : 20);
    },
  );

  it('sends deliveries that a slow database took long to return', async () => {
    const rig = await open();
    await rig.register();
    await rig.happens();
    const deliveries = await rig.sender.claim(1_000);
    await rig.clock.advance(2_000);
    for (const delivery of deliveries) await rig.sender.perform(delivery);

    expect(await rig.statuses()).toEqual({ delivered: 1 });
  });

  it('sends no waiting delivery after a stop', async () => {
    const { rig, answerAll } = await busy();
    await rig.sender.stop();
    await answerAll();

    expect(rig.sent).toHaveLength(20);
    expect(await rig.statuses()).toEqual({ delivered: 20, pending: 10 });
  });
});
