import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callOnce, callWithSummary, once, transcriptOf } from '#test/support/call-story.js';
import { startService, type Service } from '#test/support/service.js';
import { SocketClient } from '#test/support/socket-client.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { loudStretches, readStereoWav } from '#test/support/wav.js';

const DRAIN_SECONDS = 1;
/** By so many pieces of sound, of 200 ms each, the peer's playing lies behind. */
const LAG_PIECES = 3;
const WORDS = Array.from(
  { length: 12 },
  (_, at) => `The parcel with the number ${at + 1} is on its way.`,
).join(' ');

/** What an agent asks who has nothing else to do. */
const ITS_QUESTION = 'Is there anything you would like me to pass on?';

const folder = temporaryFolder();
let service: Service;
beforeAll(async () => {
  service = await startService(folder, { DRAIN_TIMEOUT_SECONDS: String(DRAIN_SECONDS) });
});
afterAll(() => service?.kill());

/** An agent, and whoever listens to it over a media stream that gives its marks back late. */
async function listener(words: string): Promise<{ client: SocketClient; callId: string }> {
  const { status, body } = await service.request('POST', '/api/agents', {
    name: 'Depot',
    initial_message: words,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const { id } = body as { id: string };
  const client = await SocketClient.open(service.streamUrl.replace('?', `/${id}?`));
  client.socket.on('message', () => {
    const played = client.texts.at(-1 - LAG_PIECES);
    if (played?.['event'] === 'mark') client.say(played);
  });
  client.say({ event: 'connected', protocol: 'Call', version: '1.0.0' });
  client.say({
    event: 'start',
    streamSid: 'MZ1',
    start: { streamSid: 'MZ1', callSid: 'CA1', mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000 } },
  });
  return { client, callId: String(client.headers['x-call-id']) };
}

/** The transcript breaks off within the words, and the recording with it. */
async function expectCut({ request }: Service, callId: string, words: string): Promise<void> {
  const [entry, ...others] = await transcriptOf(request, callId);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ speaker: 'agent', interrupted: true });
  const all = `${words} ${ITS_QUESTION}`;
  expect(all.startsWith(entry!.text), entry!.text).toBe(true);
  expect(entry!.text.length).toBeLessThan(all.length);

  await callWithSummary(request, callId);
  const path = join(folder, 'data', 'recordings', `${callId}.wav`);
  expect(existsSync(path)).toBe(true);
  const sound = readStereoWav(readFileSync(path));
  const spokenMs = loudStretches(sound.agent, sound.sampleRateHz).at(-1)!.toMs;
  // The recording has no more of the agent than the transcript.
  expect(Math.abs(entry!.end_ms - spokenMs)).toBeLessThan(150);
}

/** All of it was sent: the rest of the marks never comes back. */
async function allSent({ received }: SocketClient): Promise<void> {
  let [known, unchanged] = [0, 0];
  await once(() => {
    unchanged = received.length === known ? unchanged + 1 : 0;
    known = received.length;
    expect(known).toBeGreaterThan(10);
    expect(unchanged).toBe(10);
  });
}

const LAST_WORDS = 'Your parcel is on its way, and you have it on Monday in the afternoon.';

describe.concurrent('a caller', () => {
  it('who hangs up before the last words are played has not heard them', async () => {
    const { client, callId } = await listener(LAST_WORDS);
    await allSent(client);
    client.say({ event: 'stop', streamSid: 'MZ1' });
    await client.closed;

    await callOnce(service.request, callId);
    await expectCut(service, callId, LAST_WORDS);
  });

  it('who presses a key before the last words are played does not hear them any more', async () => {
    const { client, callId } = await listener(LAST_WORDS);
    await allSent(client);
    expect(client.texts.some(({ event }) => event === 'clear')).toBe(false);
    client.say({ event: 'dtmf', streamSid: 'MZ1', dtmf: { track: 'inbound_track', digit: '1' } });
    await once(() => expect(client.texts.some(({ event }) => event === 'clear')).toBe(true));
    client.say({ event: 'stop', streamSid: 'MZ1' });
    await client.closed;

    await callOnce(service.request, callId);
    const [words, key] = await transcriptOf(service.request, callId);
    expect(words).toMatchObject({ speaker: 'agent', interrupted: true });
    expect(words!.text.length).toBeLessThan(`${LAST_WORDS} ${ITS_QUESTION}`.length);
    expect(key).toMatchObject({ speaker: 'customer', text: '1' });
  });
});

it('a call in mid-sentence ends once when the service stops, with what could be heard of it', async () => {
  const { client, callId } = await listener(WORDS);
  await Promise.race([client.closed, once(() => expect(client.received.length).toBeGreaterThan(100))]);

  expect(await service.stop()).toBe(0);
  expect((await client.closed).code).toBe(1001);

  const second = await startService(folder);
  onTestFinished(() => second.kill());
  const call = await callOnce(second.request, callId);
  expect(call).toMatchObject({ ended_reason: 'server_shutdown' });

  await expectCut(second, callId, WORDS);

  const { body } = await second.request('GET', `/api/calls/${callId}/events`);
  const ends = (body as { data: { to: string; data: object }[] }).data.filter(({ to }) =>
    /^(?:ending|failed)$/.test(to),
  );
  expect(ends.map(({ to, data }) => [to, data])).toEqual(
    ['ending', 'failed'].map((to) => [to, { ended_reason: 'server_shutdown' }]),
  );
});
