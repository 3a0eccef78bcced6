import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Inbox } from '#store/threads/inbox.js';

function openInbox() {
  const { port1, port2 } = new MessageChannel();
  const request = (...ids: number[]) =>
    port2.postMessage({
      kind: 'run',
      requests: { ids, transactions: ids.map(() => 'calls.get'), args: ids.map(() => ({})) },
    });
  return { inbox: new Inbox(port1), request, close: () => port2.postMessage({ kind: 'close' }), port1 };
}

describe('the jobs of a store thread', () => {
  it('come in the order of their requests', async () => {
    const { inbox, request, port1 } = openInbox();
    request(1, 2);
    request(3);

    expect(await inbox.some()).toBe(true);
    expect([inbox.next(), inbox.next(), inbox.next()].map((job) => job?.id)).toEqual([1, 2, 3]);
    expect(inbox.next()).toBeUndefined();
    port1.close();
  });

  it('include those that arrived while others run, for nextOrNew only', async () => {
    const { inbox, request, port1 } = openInbox();
    request(1);
    await inbox.some();
    expect(inbox.next()?.id).toBe(1);

    request(2);

    expect(inbox.next()).toBeUndefined();
    expect(inbox.nextOrNew()?.id).toBe(2);
    expect(inbox.nextOrNew()).toBeUndefined();
    port1.close();
  });

  it('are still run when a close message follows them', async () => {
    const { inbox, request, close, port1 } = openInbox();
    request(1);
    close();

    expect(await inbox.some()).toBe(true);
    expect(inbox.next()?.id).toBe(1);
    expect(await inbox.some()).toBe(false);
    port1.close();
  });

  it('wake every worker that waits, whichever reads the messages', async () => {
    const { inbox, request, port1 } = openInbox();
    request(1);
    await inbox.some();
    inbox.next();
    const other = inbox.some();
    request(2, 3);

    expect(await inbox.some()).toBe(true);
    expect(inbox.next()?.id).toBe(2);
    expect(await other).toBe(true);
    expect(inbox.next()?.id).toBe(3);
    port1.close();
  });
});
