import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { IncomingMessages, OutgoingMessages } from '#ws/messages/message-batches.js';
import { settle } from '#test/support/fake-clock.js';

/** A receiver that records its messages by name in a shared list. */
function receiverNamed(name: string, heard: string[]) {
  return {
    receive: (message: Buffer, isBinary: boolean) =>
      void heard.push(`${name} ${message.toString()}${isBinary ? ' binary' : ''}`),
  };
}

describe('messages that have come', () => {
  it('are handled together at the end of the turn, in order, each as it is', async () => {
    const heard: string[] = [];
    const incoming = new IncomingMessages(new OutgoingMessages());
    const [ada, bob] = [receiverNamed('ada', heard), receiverNamed('bob', heard)];
    incoming.add(ada, Buffer.from('1'), false);
    incoming.add(bob, Buffer.from('2'), true);
    incoming.add(ada, Buffer.from('3'), false);
    expect(heard).toEqual([]);

    await settle();

    expect(heard).toEqual(['ada 1', 'bob 2 binary', 'ada 3']);
  });

  it('are handled at once when their socket has closed, and only once', async () => {
    const heard: string[] = [];
    const incoming = new IncomingMessages(new OutgoingMessages());
    incoming.add(receiverNamed('ada', heard), Buffer.from('goodbye'), false);

    incoming.flush();
    expect(heard).toEqual(['ada goodbye']);

    await settle();
    expect(heard).toHaveLength(1);
  });

  it('do not wait when they are many', () => {
    const heard: string[] = [];
    const incoming = new IncomingMessages(new OutgoingMessages());
    const ada = receiverNamed('ada', heard);
    for (let i = 0; i < 100; i += 1) incoming.add(ada, Buffer.from(String(i)), false);

    expect(heard.length).toBeGreaterThan(50);
    expect(heard[0]).toBe('ada 0');
  });

  it('are handled one by one while a turn brings one, and together once it brings more', async () => {
    const heard: string[] = [];
    const incoming = new IncomingMessages(new OutgoingMessages());
    const ada = receiverNamed('ada', heard);
    const add = () => incoming.add(ada, Buffer.from('x'), false);
    for (let turn = 0; turn < 50; turn += 1) {
      add();
      await settle();
    }
    add();
    expect(heard).toHaveLength(51);

    // The messages per turn are measured again after some time.
    for (let turn = 0; turn < 500; turn += 1) {
      add();
      add();
      await settle();
    }
    heard.length = 0;
    add();
    add();
    expect(heard).toHaveLength(0);
  });

  it('are answered before anything else happens when they are handled as they come', async () => {
    const sent: string[] = [];
    const socket = { OPEN: 1, readyState: 1, send: (message: string) => void sent.push(message) };
    const outgoing = new OutgoingMessages();
    const incoming = new IncomingMessages(outgoing);
    const answer = (message: Buffer) =>
      outgoing.add(socket as unknown as WebSocket, message.toString(), { binary: false });
    for (let turn = 0; turn < 50; turn += 1) {
      incoming.add({ receive: answer }, Buffer.from('hello'), false);
      await settle();
    }

    incoming.add({ receive: answer }, Buffer.from('goodbye'), false);

    expect(sent.at(-1)).toBe('goodbye');
  });

  it('are answered within the same turn', async () => {
    const sent: string[] = [];
    const socket = { OPEN: 1, readyState: 1, send: (message: string) => void sent.push(message) };
    const outgoing = new OutgoingMessages();
    const incoming = new IncomingMessages(outgoing);
    const echo = {
      receive: (message: Buffer) =>
        outgoing.add(socket as unknown as WebSocket, message.toString(), { binary: false }),
    };
    incoming.add(echo, Buffer.from('hello'), false);

    await settle();

    expect(sent).toEqual(['hello']);
  });

  it('are handled once and in order where a socket closes, and more comes, in the midst of it', async () => {
    const heard: string[] = [];
    const incoming = new IncomingMessages(new OutgoingMessages());
    const bob = receiverNamed('bob', heard);
    const ada = {
      receive(message: Buffer) {
        heard.push(`ada ${message.toString()}`);
        incoming.add(bob, Buffer.from('2'), false);
        incoming.flush();
      },
    };
    incoming.add(ada, Buffer.from('1'), false);
    incoming.add(bob, Buffer.from('1'), false);

    await settle();

    expect(heard).toEqual(['ada 1', 'bob 1', 'bob 2']);
  });
});
