import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_KEY } from '#test/support/test-service.js';
import { SocketClient } from '#test/support/socket-client.js';
import {
  openStream,
  startAttackedService,
  type AttackedService,
} from '#test/integration/ws/attacked-service.js';

const FLOOD = 10_000;
/** A flood is read more and more slowly, and the talk may be over before its end; so many are read at once. */
const SURELY_READ = 2_000;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
});
afterAll(() => service.close());

const told = () =>
  service.logLines.filter(({ msg }) => msg === 'an audio socket exceeded the rate limit of typed turns');

async function openPlain(): Promise<SocketClient> {
  const url = `${service.wsUrl}/ws/stream?events=true&sample_rate=16000`;
  const client = await SocketClient.open(url, { headers: { 'x-api-key': TEST_KEY } });
  await client.until(() => client.texts.length > 0);
  return client;
}

it.each([
  ['turns', openPlain, (i: number) => ({ type: 'text', text: `turn ${i}` })],
  ['interruptions', openPlain, () => ({ type: 'interrupt' })],
  [
    'keys',
    async () => openStream(service, await service.announce()),
    (i: number) => ({ event: 'dtmf', dtmf: { digit: String(i % 10) } }),
  ],
])(
  '%s by the thousand are dropped and counted, and others are served meanwhile',
  async (_name, open, say) => {
    const [client, before] = [await open(), told().length];
    for (let i = 0; i < FLOOD; i++) client.say(say(i));
    for (let i = 0; i < 20; i++) {
      const { status } = await service.request('POST', '/api/agents', { name: `Agent ${i}` });
      expect(status).toBe(201);
    }
    client.socket.close();
    await client.closed;
    await expect.poll(told).toHaveLength(before + 1);
    expect(told().at(-1)!['dropped_inputs']).toBeGreaterThan(SURELY_READ / 2);
    expect(service.logLines.filter(({ level }) => level === 'error')).toEqual([]);
  },
);
