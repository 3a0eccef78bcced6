import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingResource } from '#calls/resources/recording-resource.js';
import { callOnce, placeCall, told } from '#test/support/call-story.js';
import { startObjectStore, storageEnvironment, type TestObjectStore } from '#test/support/object-store.js';
import { SHORT_AGENT } from '#test/support/short-talk.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { rounds } from '#test/support/tier.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

/** How long the storage is away. In a soak run longer than any other after-call work is tried. */
const AWAY_MS = rounds(60_000, 720_000);

/** Says nothing, so that the recording of a talk is long. */
const SILENT = '+15550100003';
/** The polling interval: each look is a request. */
const LOOK_EVERY_MS = 1_000;

const time = new VirtualClock();
let store: TestObjectStore;
let service: TestService;
let agent_id: string;

/** Starts the service, with an agent whose talks take a few seconds. */
async function start(environment: Record<string, string> = {}): Promise<void> {
  service = await buildTestService({ time, environment: { ...environment, ...storageEnvironment(store) } });
  const { body } = await service.request('POST', '/api/agents', SHORT_AGENT);
  agent_id = (body as { id: string }).id;
}

beforeAll(async () => {
  store = await startObjectStore('path', () => time.wallMs());
  await start();
});
afterAll(async () => {
  await service?.close();
  await store?.close();
});

const recordingOf = (callId: string) =>
  told(service.request, `/api/calls/${callId}/recording`, recordingResource);
const fileOf = (callId: string) => join(service.dataDir, 'recordings', `${callId}.wav`);
const objectOf = (callId: string) => `/recordings/calls/${callId}.wav`;

const place = (options: Record<string, unknown>) =>
  placeCall(service.request, { to_number: '+15550100001', agent_id, ...options });

async function recorded(options: Record<string, unknown> = { record_storage: 's3' }): Promise<string> {
  const callId = await place(options);
  await callOnce(service.request, callId);
  await time.until(() => recordingOf(callId), LOOK_EVERY_MS);
  return callId;
}

async function pass(ms: number): Promise<void> {
  const until = time.wallMs() + ms;
  await time.until(() => expect(time.wallMs()).toBeGreaterThan(until), ms);
}

const isStored = (callId: string) =>
  time.until(async () => {
    expect((await recordingOf(callId)).storage).toBe('s3');
    expect(existsSync(fileOf(callId))).toBe(false);
  }, LOOK_EVERY_MS);

describe('a recording in object storage', () => {
  it('is taken there after the call, and heard from there by a signed address, in ranges, and by channel', async () => {
    const callId = await recorded();
    await isStored(callId);
    const recording = await recordingOf(callId);

    const link = await fetch(recording.recording_url, { redirect: 'manual' });
    expect(link.status).toBe(302);
    const address = link.headers.get('location')!;
    expect(address).toContain(objectOf(callId));
    const whole = Buffer.from(await (await fetch(address)).arrayBuffer());
    expect(whole.byteLength).toBe(recording.size_bytes);
    expect(whole.toString('latin1', 0, 4)).toBe('RIFF');
    expect((await fetch(address.split('?', 1)[0]!)).status).toBe(403);

    const headers = { 'x-api-key': TEST_KEY, 'sec-fetch-site': 'same-origin', range: 'bytes=4-9' };
    const range = await fetch(`${service.baseUrl}/api/calls/${callId}/recording/audio`, { headers });
    expect([range.status, range.headers.get('content-range')]).toEqual([
      206,
      `bytes 4-9/${recording.size_bytes}`,
    ]);
    expect(Buffer.from(await range.arrayBuffer())).toEqual(whole.subarray(4, 10));

    const channel = await service.request('GET', `/api/calls/${callId}/recording/audio?channel=agent`);
    expect(channel.status).toBe(200);
    expect((channel.body as Buffer).byteLength).toBeLessThan(whole.byteLength);
    const waveform = await service.request('GET', `/api/calls/${callId}/waveform?buckets=10`);
    expect(waveform.status).toBe(200);
    await time.until(() =>
      expect(
        readdirSync(join(service.dataDir, 'recordings')).filter((name) => name.startsWith(callId)),
      ).toEqual([]),
    );
  });

  it('stays on the disk where the call wants it there', async () => {
    const callId = await recorded({});
    await pass(30_000);
    expect((await recordingOf(callId)).storage).toBe('local');
    expect(existsSync(fileOf(callId))).toBe(true);
  });

  it('waits on the disk while the storage is away, can be heard meanwhile, and is announced', async () => {
    store.fail(() => ({ status: 503, code: 'SlowDown' }));
    const callId = await recorded();
    await pass(AWAY_MS);
    expect((await recordingOf(callId)).storage).toBe('local');
    const audio = await service.request('GET', `/api/calls/${callId}/recording/audio`);
    expect(audio.status).toBe(200);
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    expect(metrics).toContain('callwright_recordings_waiting_for_storage 1');
    expect(metrics).toMatch(/callwright_recordings_waiting_for_storage_bytes \d{4,}/);
    store.fail(null);
    await isStored(callId);
  });

  it.each(['recording', ''])(
    'is deleted there with the %s, also where the storage is away then',
    async (what) => {
      const callId = await recorded();
      await isStored(callId);
      let refused = 0;
      store.fail(() => {
        refused += 1;
        return 'reset';
      });
      const path = `/api/calls/${callId}${what === '' ? '' : `/${what}`}`;
      expect((await service.request('DELETE', path)).status).toBe(200);
      expect((await service.request('GET', `/api/calls/${callId}/recording/audio`)).status).toBe(404);
      await time.until(() => expect(refused).toBeGreaterThan(2));
      store.fail(null);
      await time.until(() => expect(store.requests).toContain(`DELETE ${objectOf(callId)}`));
    },
  );

  it('that is erased while it waits leaves nothing there', async () => {
    store.fail(({ method }) => (method === 'HEAD' ? { status: 503, code: 'SlowDown' } : null));
    const callId = await recorded();
    await time.until(() => expect(store.requests).toContain(`PUT ${objectOf(callId)}`));
    expect((await service.request('DELETE', `/api/calls/${callId}`)).status).toBe(200);
    store.fail(null);
    await time.until(() => expect(store.requests).toContain(`DELETE ${objectOf(callId)}`));
  });
});

it('says which storages there are', async () => {
  const { body } = await service.request('GET', '/api/providers');
  expect(body).toMatchObject({
    storage: [
      { name: 'local', configured: true },
      { name: 's3', configured: true },
    ],
  });
});

describe('a recording of a service whose clients cannot reach the storage, and whose disk is bounded', () => {
  beforeAll(async () => {
    await service.close();
    await start({ RECORD_STORAGE: 's3', S3_PUBLIC: 'off', S3_MAX_WAITING_MB: '1' });
  });

  it('is sent by the service', async () => {
    const callId = await recorded({});
    await isStored(callId);
    const { recording_url: url, size_bytes: sizeBytes } = await recordingOf(callId);
    const whole = await fetch(url, { redirect: 'manual' });
    expect(whole.status).toBe(200);
    expect((await whole.arrayBuffer()).byteLength).toBe(sizeBytes);
    const range = await fetch(url, { headers: { range: 'bytes=4-9' } });
    expect([range.status, range.headers.get('content-range')]).toEqual([206, `bytes 4-9/${sizeBytes}`]);
  });

  it('is not made from a bound of the disk that waits on: call, health and metrics say so', async () => {
    store.fail(() => ({ status: 503, code: 'SlowDown' }));
    const degraded = async () => {
      const { body } = await service.request('GET', '/health');
      return (body as { degraded: unknown[] }).degraded;
    };
    const waiting: string[] = [];
    while ((await degraded()).length === 0) {
      waiting.push(await recorded({ to_number: SILENT, record_storage: 's3' }));
      await pass(6_000);
    }
    expect(await degraded()).toEqual([
      expect.objectContaining({ part: 'recordings', provider: 's3', reason: 'storage_backlog', until: null }),
    ]);
    const callId = await place({ record_storage: 's3' });
    const call = await callOnce(service.request, callId);
    expect(call).toMatchObject({ status: 'completed', record_call: false, recording_url: null });
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    expect(metrics).toContain('callwright_recordings_refused_total 1');
    store.fail(null);
    for (const id of waiting) await isStored(id);
    await time.until(async () => expect(await degraded()).toEqual([]), LOOK_EVERY_MS);
  });
});
