import { describe, expect, it } from 'vitest';
import { Traffic } from '../../../src/webhooks/deliveries/traffic.js';

/** Traffic with room for three requests, two of them to one webhook, and the order in which letters entered. */
function openTraffic() {
  const traffic = new Traffic({ total: 3, each: 2 });
  const entered: string[] = [];
  const come = (...names: string[]) => {
    for (const name of names) {
      traffic.take(name[0]!);
      void traffic.enter(name[0]!).then(() => entered.push(name));
    }
    return settled();
  };
  const go = (webhookId: string) => {
    traffic.leave(webhookId);
    return settled();
  };
  return { traffic, entered, come, go };
}

/** After the promises that can settle by themselves. */
const settled = () => new Promise(setImmediate);

describe('the traffic to webhooks', () => {
  it('lets as many begin as there is room for, to one and to all', async () => {
    const { traffic, entered, come } = openTraffic();
    await come('a1', 'a2', 'a3', 'b1', 'b2');
    expect(entered).toEqual(['a1', 'a2', 'b1']);
    expect(traffic.underWay).toBe(3);
    expect(traffic.inHandOf).toEqual({ a: 3, b: 2 });
  });

  it('lets the one in that has waited longest of those that there is room for', async () => {
    const { entered, come, go } = openTraffic();
    await come('a1', 'a2', 'b1', 'a3', 'b2', 'c1');
    await go('b');
    expect(entered.slice(3)).toEqual(['b2']);
    await go('a');
    expect(entered.slice(4)).toEqual(['a3']);
    await go('b');
    expect(entered.slice(5)).toEqual(['c1']);
  });

  it('keeps no place for what waits behind its own webhook', async () => {
    const { traffic, come, go } = openTraffic();
    await come('a1', 'a2', 'a3', 'a4');
    expect(traffic.places).toBe(1);
    expect(traffic.isFull).toBe(false);
    for (const places of [1, 1, 2, 3]) {
      await go('a');
      expect(traffic.places).toBe(places);
    }
  });

  it('says which webhooks have in hand what may be under way', async () => {
    const { traffic, come, go } = openTraffic();
    await come('a1', 'a2');
    expect(traffic.full).toEqual(['a']);
    expect(traffic.isFullFor('b')).toBe(false);
    await come('b1');
    expect(traffic.isFull).toBe(true);
    expect(traffic.isFullFor('b')).toBe(true);
    for (const webhookId of ['a', 'a', 'b']) await go(webhookId);
    expect(traffic.inHandOf).toEqual({});
    expect(traffic.full).toEqual([]);
  });
});
