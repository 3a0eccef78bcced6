import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { SocketClient } from '#test/support/socket-client.js';
import { KEY, startAudioServer } from './audio-server.js';

it.each([
  ['sound', (client: SocketClient) => client.socket.send(Buffer.alloc(2))],
  ['side messages', (client: SocketClient) => client.say({ type: 'something new' })],
  ['pongs', (client: SocketClient) => client.socket.pong()],
])('a peer that floods the service with %s is read more slowly, and loses nothing', async (_what, send) => {
  const audio = await startAudioServer();
  const address = `${audio.url}/ws/stream?sample_rate=16000`;
  const client = await SocketClient.open(address, { headers: { 'x-api-key': KEY } });
  const call = await audio.calls.first();
  const [socket] = audio.server.websocketServer.clients;
  for (let i = 0; i < 20_000; i++) send(client);
  client.say({ type: 'text', text: 'hello' });
  await expect.poll(() => socket!.isPaused).toBe(true);
  expect(call.asked).toEqual([]);
  // Time stands still but for this.
  while (call.asked.length === 0) await audio.clock.advance(100);
  expect(call.asked).toEqual(['type hello']);
  client.socket.terminate();
  await audio.server.close();
});

it('a peer that pings as fast as it is answered is read more slowly', async () => {
  const audio = await startAudioServer();
  const client = await SocketClient.open(`${audio.url}/ws/stream`, { headers: { 'x-api-key': KEY } });
  const [socket] = audio.server.websocketServer.clients;
  let pongs = 0;
  client.socket.on('pong', () => (pongs += 1));
  // More at once would be let go of.
  for (let sent = 50; !socket!.isPaused; sent += 50) {
    expect(sent).toBeLessThan(5_000);
    for (let i = 0; i < 50; i++) client.socket.ping();
    await expect.poll(() => socket!.isPaused || pongs >= sent, { interval: 1 }).toBe(true);
  }
  client.socket.terminate();
  await audio.server.close();
});

it('a flood before the start of a stream is not read on while its call is being opened', async () => {
  const { audio, client, socket, connection, asked, open } = await heldOpening();
  // In one piece: what stands behind the pongs is read with them.
  connection.cork();
  for (let i = 0; i < 2_500; i++) client.socket.pong();
  client.say({ event: 'start', start: { streamSid: 'MZ1', callSid: 'CA1' } });
  connection.uncork();
  await asked;
  // Longer than the pongs alone would keep it from being read.
  await audio.clock.advance(1_000);
  expect(socket!.isPaused).toBe(true);
  open();
  await audio.calls.first();
  await expect.poll(() => socket!.isPaused).toBe(false);
  client.socket.terminate();
  await audio.server.close();
});

it('what comes in one piece with the start of a stream does not have it read before its call is open', async () => {
  const { audio, client, socket, connection, asked, open } = await heldOpening();
  connection.cork();
  client.say({ event: 'start', start: { streamSid: 'MZ1', callSid: 'CA1' } });
  // So many that they are handled, and the opening begins, while the rest of the piece still comes.
  for (let i = 0; i < 63; i++) client.say({ event: 'dtmf', dtmf: { digit: '1' } });
  for (let i = 0; i < 2_500; i++) client.socket.pong();
  connection.uncork();
  await asked;
  await audio.clock.advance(1_000);
  expect(socket!.isPaused).toBe(true);
  open();
  const call = await audio.calls.first();
  await expect.poll(() => call.asked).toHaveLength(63);
  expect(socket!.isPaused).toBe(false);
  client.socket.terminate();
  await audio.server.close();
});

/** A client whose call is not opened before somebody says so, and its two ends of the line. */
async function heldOpening() {
  const audio = await startAudioServer();
  let answerOpening = () => {};
  const asked = new Promise<void>((resolve) => {
    audio.calls.beforeOpen = () => {
      resolve();
      return new Promise((answer) => (answerOpening = answer));
    };
  });
  const client = await SocketClient.open(`${audio.url}/ws/stream`, { headers: { 'x-api-key': KEY } });
  const [socket] = audio.server.websocketServer.clients;
  const { _socket: connection } = client.socket as unknown as { _socket: Socket };
  return { audio, client, socket, connection, asked, open: () => answerOpening() };
}
