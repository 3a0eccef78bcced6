import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter } from '#webhooks/deliveries/concurrency-limiter.js';
import { settle } from '#test/support/fake-clock.js';

/** A limiter for three requests, two for each webhook, and the order in which deliveries entered. */
function openLimiter() {
  const limiter = new ConcurrencyLimiter({ total: 3, each: 2 });
  const entered: string[] = [];
  const come = (...names: string[]) => {
    for (const name of names) {
      limiter.countClaimed(name[0]!);
      void limiter.enter(name[0]!).then(() => entered.push(name));
    }
    return settle();
  };
  const go = (webhookId: string) => {
    limiter.leave(webhookId);
    return settle();
  };
  return { limiter, entered, come, go };
}

describe('the limit on requests to webhooks', () => {
  it('admits requests up to the limits, for each webhook and in all', async () => {
    const { limiter, entered, come } = openLimiter();
    await come('a1', 'a2', 'a3', 'b1', 'b2');
    expect(entered).toEqual(['a1', 'a2', 'b1']);
    expect(limiter.running).toBe(3);
    expect(limiter.claimedByWebhook).toEqual({ a: 3, b: 2 });
  });

  it('admits the longest waiting delivery whose webhook has a free place', async () => {
    const { entered, come, go } = openLimiter();
    await come('a1', 'a2', 'b1', 'a3', 'b2', 'c1');
    await go('b');
    expect(entered.slice(3)).toEqual(['b2']);
    await go('a');
    expect(entered.slice(4)).toEqual(['a3']);
    await go('b');
    expect(entered.slice(5)).toEqual(['c1']);
  });

  it('gives no place to a delivery beyond the limit of its webhook', async () => {
    const { limiter, come, go } = openLimiter();
    await come('a1', 'a2', 'a3', 'a4');
    expect(limiter.freePlaces).toBe(1);
    expect(limiter.isFull).toBe(false);
    for (const places of [1, 1, 2, 3]) {
      await go('a');
      expect(limiter.freePlaces).toBe(places);
    }
  });

  it('lists the webhooks without a free place', async () => {
    const { limiter, come, go } = openLimiter();
    await come('a1', 'a2');
    expect(limiter.fullWebhooks).toEqual(['a']);
    expect(limiter.isFullFor('b')).toBe(false);
    await come('b1');
    expect(limiter.isFull).toBe(true);
    expect(limiter.isFullFor('b')).toBe(true);
    for (const webhookId of ['a', 'a', 'b']) await go(webhookId);
    expect(limiter.claimedByWebhook).toEqual({});
    expect(limiter.fullWebhooks).toEqual([]);
  });
});
