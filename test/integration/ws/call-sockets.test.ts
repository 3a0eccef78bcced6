import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOnce, once, placeCall, transcriptOf } from '#test/support/call-story.js';
import { SocketClient } from '#test/support/socket-client.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

/** Answers, and says nothing. */
const NUMBER = '+15550100003';
const RATE_HZ = 48_000;

let service: TestService;
let callId: string;
beforeAll(async () => {
  service = await buildTestService({ listen: true });
  callId = await placeCall(service.request, { to_number: NUMBER });
  await callOnce(service.request, callId, ({ status }) => status === 'active');
});
afterAll(() => service?.close());

const open = (name: 'listen' | 'speak', credential = `token=${TEST_KEY}`, id = callId) =>
  SocketClient.open(`${service.baseUrl.replace('http', 'ws')}/ws/calls/${id}/${name}?${credential}`);
const post = (action: string, body?: unknown) =>
  service.request('POST', `/api/calls/${callId}/${action}`, body ?? {});

async function newKey(scopes: string[]): Promise<string> {
  const { body } = await service.request('POST', '/v1/api-keys', { name: 'Wall', scopes });
  return (body as { key: string }).key;
}

describe('the sockets beside a call', () => {
  it.each([
    ['listen', '', 401],
    ['listen', 'token=wrong', 401],
    ['speak', 'token=$read', 403],
    ['speak', `token=${TEST_KEY}`, 409],
  ] as const)('%s with "%s" is refused', async (name, credential, status) => {
    const shown = credential.replace('$read', credential.includes('$') ? await newKey(['read']) : '');
    await expect(open(name, shown)).rejects.toThrow(`HTTP ${status}`);
  });

  it('are of a call that is there', async () => {
    await expect(open('listen', undefined, 'call_unknown')).rejects.toThrow('HTTP 404');
  });

  it('let people hear both sides, and speak in the place of the agent', async () => {
    const listener = await open('listen', `token=${await newKey(['read'])}`);
    await listener.until(() => listener.sound.length > 0);
    expect(listener.texts[0]).toEqual({
      type: 'format',
      encoding: 'pcm_s16le',
      sample_rate: 8_000,
      channels: 2,
    });

    const { status, body } = await post('take-over');
    expect([status, body]).toEqual([
      200,
      { call_id: callId, id: callId, mode: 'operator', socket: `/ws/calls/${callId}/speak` },
    ]);
    const before = listener.sound.length;
    const speaker = await open('speak');
    speaker.say({ type: 'start', sample_rate: RATE_HZ });
    const tone = Buffer.alloc(RATE_HZ * 2);
    for (let at = 0; at < RATE_HZ; at += 1)
      tone.writeInt16LE(Math.round(9_000 * Math.sin((at * 2 * Math.PI * 300) / RATE_HZ)), at * 2);
    for (let piece = 0; piece < tone.length; piece += 4_096)
      speaker.socket.send(tone.subarray(piece, piece + 4_096));
    await listener.until(() => loudest(listener.sound.subarray(before), 'right') > 6_000);

    expect((await post('say', { text: 'No.' })).status).toBe(409);
    speaker.socket.close();
    await once(async () => expect((await post('unmute')).status).toBe(200));

    await post('say', { text: 'The service speaks again.', interrupt: true });
    await once(async () =>
      expect(await transcriptOf(service.request, callId)).toContainEqual(
        expect.objectContaining({ speaker: 'agent', by: 'operator', text: 'The service speaks again.' }),
      ),
    );

    await post('disconnect');
    expect(await listener.closed).toMatchObject({ code: 1000 });
    expect(listener.texts.at(-1)).toEqual({ type: 'ended' });
    expect((await post('mute')).status).toBe(409);
  });

  it('stand in the log of the call, with who did what', async () => {
    const { body } = await service.request('GET', `/api/calls/${callId}/events?limit=100`);
    const { data } = body as { data: { type: string; data: { action: string; by: string } }[] };
    const steered = data.filter(({ type }) => type === 'steered').map((event) => event.data);
    expect(steered.map(({ action }) => action)).toEqual([
      'take_over',
      'hand_back',
      'unmute',
      'say',
      'disconnect',
    ]);
    expect(new Set(steered.map(({ by }) => by))).toEqual(new Set(['Key of the setting API_KEYS']));
  });
});

function loudest(stereo: Buffer, side: 'left' | 'right'): number {
  let most = 0;
  for (let at = side === 'left' ? 0 : 2; at + 2 <= stereo.length; at += 4)
    most = Math.max(most, Math.abs(stereo.readInt16LE(at)));
  return most;
}
