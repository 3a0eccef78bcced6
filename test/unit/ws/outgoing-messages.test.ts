import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { OutgoingMessages } from '#ws/messages/message-batches.js';
import { settle } from '#test/support/fake-clock.js';

/** A socket that records sent messages by name in a shared list. */
function socketNamed(name: string, sent: string[], isOpen = true) {
  const socket = {
    OPEN: 1,
    readyState: isOpen ? 1 : 3,
    send: (message: string, { binary }: { binary: boolean }) =>
      void sent.push(`${name} ${message}${binary ? ' binary' : ''}`),
  };
  return socket as unknown as WebSocket;
}

const TEXT = { binary: false };

describe('messages that are about to leave', () => {
  it('leave together at the end of the turn, in order, each in its way', async () => {
    const sent: string[] = [];
    const outgoing = new OutgoingMessages();
    const [ada, bob] = [socketNamed('ada', sent), socketNamed('bob', sent)];
    outgoing.add(ada, '1', TEXT);
    outgoing.add(bob, '2', { binary: true });
    outgoing.add(ada, '3', TEXT);
    expect(sent).toEqual([]);

    await settle();

    expect(sent).toEqual(['ada 1', 'bob 2 binary', 'ada 3']);
  });

  it('leave at once before a socket closes, and only once', async () => {
    const sent: string[] = [];
    const outgoing = new OutgoingMessages();
    outgoing.add(socketNamed('ada', sent), 'goodbye', TEXT);

    outgoing.flush();
    expect(sent).toEqual(['ada goodbye']);

    await settle();
    expect(sent).toHaveLength(1);
  });

  it('do not wait when they are many', () => {
    const sent: string[] = [];
    const outgoing = new OutgoingMessages();
    const socket = socketNamed('ada', sent);
    for (let i = 0; i < 100; i += 1) outgoing.add(socket, String(i), TEXT);

    expect(sent.length).toBeGreaterThan(50);
    expect(sent[0]).toBe('ada 0');
  });

  it('are dropped where the socket has closed meanwhile', async () => {
    const sent: string[] = [];
    const outgoing = new OutgoingMessages();
    outgoing.add(socketNamed('gone', sent, false), 'x', TEXT);
    outgoing.add(socketNamed('ada', sent), 'y', TEXT);

    await settle();

    expect(sent).toEqual(['ada y']);
  });
});
