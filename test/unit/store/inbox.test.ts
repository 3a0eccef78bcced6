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

    expect(await inbox.waitForJob()).toBe(true);
    expect([inbox.take(), inbox.take(), inbox.take()].map((job) => job?.id)).toEqual([1, 2, 3]);
    expect(inbox.take()).toBeUndefined();
    port1.close();
  });

  it('include those that arrived while others run, for nextOrNew only', async () => {
    const { inbox, request, port1 } = openInbox();
    request(1);
    await inbox.waitForJob();
    expect(inbox.take()?.id).toBe(1);

    request(2);

    expect(inbox.take()).toBeUndefined();
    expect(inbox.takeOrReceive()?.id).toBe(2);
    expect(inbox.takeOrReceive()).toBeUndefined();
    port1.close();
  });

  it('are still run when a close message follows them', async () => {
    const { inbox, request, close, port1 } = openInbox();
    request(1);
    close();

    expect(await inbox.waitForJob()).toBe(true);
    expect(inbox.take()?.id).toBe(1);
    expect(await inbox.waitForJob()).toBe(false);
    port1.close();
  });

  it('wake every worker that waits, whichever reads the messages', async () => {
    const { inbox, request, port1 } = openInbox();
    request(1);
    await inbox.waitForJob();
    inbox.take();
    const other = inbox.waitForJob();
    request(2, 3);

    expect(await inbox.waitForJob()).toBe(true);
    expect(inbox.take()?.id).toBe(2);
    expect(await other).toBe(true);
    expect(inbox.take()?.id).toBe(3);
    port1.close();
  });
});
