import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingResource } from '#calls/resources/recording-resource.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { systemClock } from '#kernel/time/clock.js';
import { callOnce, once, told } from '#test/support/call-story.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { startObjectStore, storageEnvironment, type TestObjectStore } from '#test/support/object-store.js';
import { openPostgres } from '#test/support/postgres.js';
import { startService, type Service } from '#test/support/service.js';
import { TalkingClient } from '#test/support/talking-client.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const postgres = await openPostgres();
/** A part is stored this often at least, and a second or two are on their way to the disk. */
const LOST_AT_MOST_MS = 30_000 + 2_000;
/** Two channels of 16 bits at 16 kHz. */
const BYTES_PER_SECOND = 64_000;

let store: TestObjectStore;
const services: Service[] = [];
beforeAll(async () => void (store = await startObjectStore()));
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await store?.close();
});

/** A process with a folder of its own. */
async function start(folder: string, DATABASE_URL: string): Promise<Service> {
  const environment = { DATABASE_URL, RECORD_STORAGE: 's3', ...storageEnvironment(store) };
  const service = await startService(folder, environment);
  services.push(service);
  return service;
}

const recordingOf = (service: Service, callId: string) =>
  told(service.request, `/api/calls/${callId}/recording`, recordingResource);

const isStored = (service: Service, callId: string) =>
  once(async () => {
    const recording = await recordingOf(service, callId);
    expect(recording.storage).toBe('s3');
    return recording;
  });

async function soundOf({ recording_url: url }: { recording_url: string }, service: Service): Promise<Buffer> {
  const { pathname, search } = new URL(url);
  const link = await fetch(`${service.streamUrl.replace(/^ws(.*)\/ws.*/, 'http$1')}${pathname}${search}`, {
    redirect: 'manual',
  });
  return Buffer.from(await (await fetch(link.headers.get('location')!)).arrayBuffer());
}

describe.skipIf(postgres.isMissing)('two processes over one database, each with a folder of its own', () => {
  it('complete the recording of one that is killed in a call, and have all of it once that is back', async () => {
    const databaseUrl = await postgres.server.createDatabase();
    const folders = [temporaryFolder(), temporaryFolder()] as const;
    const first = await start(folders[0], databaseUrl);
    const pacingTimer = createPacingTimer({ clock: systemClock, log: createMemoryLog().log });
    const format = { sampleRateHz: 16000, encoding: 'pcm16' } as const;
    const { callId } = await TalkingClient.open(first.streamUrl, { key: '', format, pacingTimer });
    // It starts while they talk.
    const heir = await start(folders[1], databaseUrl);
    const part = `/recordings/calls/${callId}.wav.part-0001`;
    const file = join(folders[0], 'data/recordings', `${callId}.wav`);
    await once(() => expect(store.requests).toContain(`PUT ${part}`));
    // The process notes that the part is stored, and records more than the parts hold.
    const storedBytes = statSync(file).size;
    await once(() => expect(statSync(file).size).toBeGreaterThan(storedBytes + 3 * BYTES_PER_SECOND));
    await first.kill();
    const killedAt = systemClock.wallMs();

    const call = await callOnce(heir.request, callId, ({ ended_at }) => ended_at !== null);
    expect(call).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
    const recording = await isStored(heir, callId);
    const seconds = (killedAt - Date.parse(call.answered_at!)) / 1_000;
    expect(recording.duration).toBeGreaterThan(seconds - LOST_AT_MOST_MS / 1_000);
    expect(recording).toMatchObject({ is_complete: false, channels: 2, sample_rate: 16000 });
    // Gaps that have an end are of a machine that stood still.
    const open = recording.gaps.filter(({ end_ms }) => end_ms === null);
    expect(open).toEqual([{ start_ms: expect.any(Number) as number, end_ms: null }]);
    expect(recording.gaps.at(-1)).toEqual(open[0]);
    const sound = await soundOf(recording, heir);
    expect(sound).toHaveLength(recording.size_bytes);
    expect(sound.readUInt32LE(40)).toBe(sound.length - 44);
    expect(sound.subarray(44).equals(readFileSync(file).subarray(44, sound.length))).toBe(true);
    await once(() => expect(store.requests).toContain(`DELETE ${part}`));
    const events = await heir.request('GET', `/api/calls/${callId}/events`);
    expect(JSON.stringify(events.body)).toContain('recording_joined');

    const back = await start(folders[0], databaseUrl);
    await once(async () => {
      const whole = await isStored(back, callId);
      expect(whole.size_bytes).toBeGreaterThan(recording.size_bytes);
      expect(await soundOf(whole, back)).toHaveLength(whole.size_bytes);
      expect(existsSync(file)).toBe(false);
    });
  });
});
