import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Inbox } from '#store/threads/inbox.js';

function openInbox() {
  const { port1, port2 } = new MessageChannel();
  const ask = (...ids: number[]) =>
    port2.postMessage({
      kind: 'ask',
      questions: { ids, units: ids.map(() => 'calls.get'), args: ids.map(() => ({})) },
    });
  return { inbox: new Inbox(port1), ask, close: () => port2.postMessage({ kind: 'close' }), port1 };
}

describe('the units that wait for a thread', () => {
  it('come in the order in which they were asked for', async () => {
    const { inbox, ask, port1 } = openInbox();
    ask(1, 2);
    ask(3);

    expect(await inbox.some()).toBe(true);
    expect([inbox.next(), inbox.next(), inbox.next()].map((job) => job?.id)).toEqual([1, 2, 3]);
    expect(inbox.next()).toBeUndefined();
    port1.close();
  });

  it('join those that are being run, when they are asked for meanwhile, where they are let', async () => {
    const { inbox, ask, port1 } = openInbox();
    ask(1);
    await inbox.some();
    expect(inbox.next()?.id).toBe(1);

    ask(2);

    expect(inbox.next()).toBeUndefined();
    expect(inbox.nextOrNew()?.id).toBe(2);
    expect(inbox.nextOrNew()).toBeUndefined();
    port1.close();
  });

  it('are still run when the thread was told to close behind them', async () => {
    const { inbox, ask, close, port1 } = openInbox();
    ask(1);
    close();

    expect(await inbox.some()).toBe(true);
    expect(inbox.next()?.id).toBe(1);
    expect(await inbox.some()).toBe(false);
    port1.close();
  });

  it('are worked on by everybody who waits for some, whoever takes them in', async () => {
    const { inbox, ask, port1 } = openInbox();
    ask(1);
    await inbox.some();
    inbox.next();
    const other = inbox.some();
    ask(2, 3);

    expect(await inbox.some()).toBe(true);
    expect(inbox.next()?.id).toBe(2);
    expect(await other).toBe(true);
    expect(inbox.next()?.id).toBe(3);
    port1.close();
  });
});
