import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCallErasure } from '#batches/erasure.js';
import { callPurges } from '#calls/erasure/call-retention.js';
import { killFirst } from '#test/support/dead-process.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { rows } from '#test/support/tier.js';
import { BYTES_PER_SECOND, RecordedCalls } from '#test/support/recorded-calls.js';

const DAY_MS = 86_400_000;

const FAULTS = [
  ['says nothing', 'silent'],
  ['loses its answers', 'lost'],
  ['cuts connections', 'reset'],
  ['is busy', { status: 503, code: 'SlowDown' }],
  ['refuses the key', { status: 403, code: 'AccessDenied' }],
] as const;

describe('a call whose recording goes to object storage', () => {
  it('stores what it has recorded every twenty seconds, encrypted, and joins it in one object after its end', async () => {
    const calls = await RecordedCalls.open();
    const { objects } = calls;
    const { id } = await calls.talking();
    await calls.speak(id, 5);
    await calls.untilInParts(4);
    await calls.speak(id, 5);
    await calls.untilInParts(9);

    const sound = readFileSync(calls.file(id)).subarray(44);
    expect(Buffer.concat(calls.parts).equals(sound)).toBe(true);
    for (const { headers } of objects.objects.values())
      expect(headers.get('x-amz-server-side-encryption')).toBe('AES256');
    const part = await objects.fetch(`http://storage.test/recordings/calls/${id}.wav.part-0001`);
    expect(part.status).toBe(403);

    await calls.end(id);
    const recording = await calls.untilStored(id);
    expect(recording).toMatchObject({
      duration_ms: 10_000,
      gaps: [],
      size_bytes: 10 * BYTES_PER_SECOND + 44,
    });
    expect(objects.keys).toEqual([`${id}.wav`]);
    expect(objects.bytesOf(`${id}.wav`)).toHaveLength(recording.size_bytes);
    expect(existsSync(calls.file(id))).toBe(false);
  });

  it('sends long sound in parts of at most a megabyte, one after the other', async () => {
    const calls = await RecordedCalls.open();
    const { id } = await calls.talking();
    await calls.speak(id, 75);
    await calls.untilInParts(74);
    const sizes = calls.parts.map(({ length }) => length);
    expect(sizes.slice(-3, -1)).toEqual([1_048_576, 1_048_576]);

    expect((await calls.recording(id)).part_bytes).toBe(74 * BYTES_PER_SECOND);
  });

  it('stores no part of a recording that stays on the disk', async () => {
    const calls = await RecordedCalls.open();
    const { id } = await calls.rig.talking();
    await calls.speak(id, 5);
    await calls.pass(60_000);
    expect(calls.objects.requests).toEqual([]);
  });

  it.each(rows(2, FAULTS))('lacks nothing where the storage %s for a while', async (_what, fault) => {
    const calls = await RecordedCalls.open();
    const { objects } = calls;
    const { id } = await calls.talking();
    let asked = 0;
    objects.fault = () => (asked++, fault);
    await calls.speak(id, 5);
    await calls.pass(45_000);
    // One at a time, at most every twenty seconds: what is not answered is not asked for again.
    expect(asked).toBeGreaterThanOrEqual(1);
    expect(asked).toBeLessThanOrEqual(fault === 'silent' ? 1 : 2);
    await calls.speak(id, 5);
    objects.fault = () => null;
    await calls.end(id);
    const recording = await calls.untilStored(id);
    expect(recording).toMatchObject({ duration_ms: 10_000, gaps: [] });
    expect(objects.keys).toEqual([`${id}.wav`]);
  });

  it('shares few places with all others, so that a storage which says nothing takes little memory', async () => {
    const calls = await RecordedCalls.open();
    let asked = 0;
    calls.objects.fault = () => (asked++, 'silent');
    for (let line = 0; line < 6; line += 1) {
      const { id } = await calls.talking();
      await calls.speak(id, 2);
    }
    await calls.pass(60_000);
    expect(asked).toBe(4);
  });

  it('has its parts deleted with it, also where the storage is away at that moment', async () => {
    const calls = await RecordedCalls.open();
    const { rig, objects } = calls;
    const { id } = await calls.talking();
    await calls.speak(id, 5);
    await calls.untilInParts(4);
    objects.fault = ({ method }) => (method === 'DELETE' ? { status: 503, code: 'SlowDown' } : null);
    await calls.end(id);
    await calls.pass(10_000);
    expect(objects.keys).toEqual(expect.arrayContaining([`${id}.wav`, `${id}.wav.part-0001`]));
    await rig.callService.calls.erase({ workspace: 'default' }, id);
    objects.fault = () => null;
    await calls.pass(60_000);
    expect(objects.keys).toEqual([]);
  });
});

describe('the recording of a process that died', () => {
  it('is put together by another process, which has another folder, and says that it was cut', async () => {
    const calls = await RecordedCalls.open();
    const { rig, objects } = calls;
    const { id } = await calls.talking();
    await calls.speak(id, 10);
    await calls.untilInParts(9);
    await calls.speak(id, 5);
    const goOn = await killFirst(rig, 'folder_1');
    const heir = await calls.start('folder_2');
    await calls.pass(1_000);
    const stored = Buffer.concat(calls.parts).length / (BYTES_PER_SECOND / 1_000);
    expect(stored).toBeGreaterThanOrEqual(9_000);
    const call = await rig.call(id);
    expect(call).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });

    const recording = await calls.untilStored(id);
    expect(recording).toMatchObject({
      status: 'ready',
      duration_ms: stored,
      size_bytes: (stored * BYTES_PER_SECOND) / 1_000 + 44,
      folder_id: 'folder_2',
      gaps: [{ start_ms: stored, end_ms: null }],
    });
    expect(objects.keys).toEqual([`${id}.wav`]);
    const whole = objects.bytesOf(`${id}.wav`);
    expect(whole.readUInt32LE(40)).toBe(whole.length - 44);
    expect(whole.subarray(44)).toEqual(readFileSync(calls.file(id)).subarray(44, whole.length));
    expect(existsSync(calls.file(id, 'folder_2'))).toBe(false);
    const events = await heir.calls.events(PRINCIPAL, id);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'recording_joined', data: { duration_ms: stored } }),
    );

    const lengthShown = async () => (await heir.recordings.waveform(PRINCIPAL, id, 4)).durationMs;
    expect(await lengthShown()).toBe(stored);

    // It was not dead, or it has been started again: it has more of the call.
    goOn();
    await calls.pass(60_000);
    const returned = await calls.untilStored(id);
    expect(returned.duration_ms).toBeGreaterThanOrEqual(14_000);
    expect(returned.gaps).toEqual([{ start_ms: returned.duration_ms, end_ms: null }]);
    expect(await lengthShown()).toBe(returned.duration_ms);
    expect(objects.bytesOf(`${id}.wav`)).toHaveLength(returned.size_bytes);
    expect(objects.keys).toEqual([`${id}.wav`]);
    expect(existsSync(calls.file(id))).toBe(false);
  });

  it('is waited for where nothing of it was stored, and is whole when that process is back', async () => {
    const calls = await RecordedCalls.open();
    const { rig, objects } = calls;
    const { id } = await calls.talking();
    objects.fault = () => ({ status: 503, code: 'SlowDown' });
    await calls.speak(id, 5);
    await calls.pass(30_000);
    const goOn = await killFirst(rig, 'folder_1');
    await calls.start('folder_2');
    objects.fault = () => null;
    await calls.pass(120_000);
    expect(await calls.recording(id)).toMatchObject({
      status: 'writing',
      folder_id: 'folder_1',
      part_bytes: 0,
    });
    goOn();
    await calls.start('folder_1');
    const recording = await calls.untilStored(id);
    expect(recording.duration_ms).toBeGreaterThanOrEqual(4_000);
    expect(recording.gaps).toEqual([{ start_ms: recording.duration_ms, end_ms: null }]);
    expect(objects.keys).toEqual([`${id}.wav`]);
  });

  it('loses a part that arrives when all others have been removed', async () => {
    const calls = await RecordedCalls.open();
    const { rig, objects } = calls;
    const { id } = await calls.talking();
    await calls.speak(id, 5);
    await calls.untilInParts(4);
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    let late = 0;
    objects.fault = async ({ method, key }) => {
      if (method !== 'PUT' || !key.includes('.part-')) return null;
      late += 1;
      await arrival;
      return null;
    };
    await calls.speak(id, 5);
    await calls.until(() => late === 1);
    const goOn = await killFirst(rig, 'folder_1');
    await calls.start('folder_2');
    await calls.untilStored(id);
    goOn();
    arrive();
    await calls.pass(60_000);
    expect(objects.keys).toEqual([`${id}.wav`]);
  });
});

describe('a recording in the folder of another process', () => {
  it('is heard once it is in the storage, and deleted at once where that is asked for before', async () => {
    const calls = await RecordedCalls.open();
    const { objects } = calls;
    objects.fault = ({ key }) => (key.endsWith('.wav') ? { status: 503, code: 'SlowDown' } : null);
    const { id } = await calls.talking();
    await calls.speak(id, 3);
    await calls.end(id);
    await calls.until(async () => (await calls.recording(id)).status === 'ready');
    const { recordings } = await calls.start('folder_2');
    await calls.pass(60_000);
    const recording = await recordings.get(PRINCIPAL, id);
    await expect(recordings.requireFile(recording)).rejects.toMatchObject({ code: 'unavailable' });
    expect(existsSync(calls.file(id))).toBe(true);

    await recordings.remove(PRINCIPAL, id);
    await calls.until(() => !existsSync(calls.file(id)));
    objects.fault = () => null;
    await calls.pass(60_000);
    expect(objects.keys).toEqual([]);
  });

  it('is lost where that process has been away for a day, and heard again when it is back', async () => {
    const calls = await RecordedCalls.open();
    const { objects } = calls;
    objects.fault = ({ key }) => (key.includes('.wav') ? { status: 503, code: 'SlowDown' } : null);
    const { id } = await calls.talking();
    await calls.speak(id, 3);
    await calls.end(id);
    await calls.until(async () => (await calls.recording(id)).status === 'ready');
    const endedAt = calls.rig.clock.wallMs();
    const goOn = await killFirst(calls.rig, 'folder_1');
    const { recordings } = await calls.start('folder_2');
    const answer = async () => {
      const recording = await recordings.get(PRINCIPAL, id);
      return recordings.requireFile(recording).then(
        () => 'heard',
        (error: { code: string }) => error.code,
      );
    };
    calls.rig.clock.setWall(endedAt + DAY_MS - 60_000);
    expect(await answer()).toBe('unavailable');
    calls.rig.clock.setWall(endedAt + DAY_MS + 60_000);
    expect(await answer()).toBe('recording_not_found');

    objects.fault = () => null;
    goOn();
    await calls.start('folder_1');
    await calls.untilStored(id);
    expect(await recordings.get(PRINCIPAL, id)).toMatchObject({ storage: 's3' });
  });
});

describe('a recording in the storage past its retention period', () => {
  it.each([
    ['of recordings', { recordingDays: 30, callDays: null }],
    ['of calls', { recordingDays: null, callDays: 30 }],
  ])('%s cannot be read any more, and its object goes once the storage is back', async (_of, kept) => {
    const calls = await RecordedCalls.open();
    const { rig, objects } = calls;
    const { id } = await calls.talking();
    await calls.speak(id, 3);
    await calls.end(id);
    await calls.untilStored(id);
    const { calls: service, recordings } = rig.callService;
    const erasure = createCallErasure(rig.store);
    const parts = { store: rig.store, log: rig.log.log, calls: service, erasure, recordings };
    const purge = async (now: number) => {
      for (const one of callPurges(parts, kept)) while (await one(now));
    };
    const endedAt = rig.clock.wallMs();
    await purge(endedAt + 29 * DAY_MS);
    expect(await recordings.get(PRINCIPAL, id)).toMatchObject({ storage: 's3' });

    objects.fault = () => ({ status: 503, code: 'SlowDown' });
    await purge(endedAt + 31 * DAY_MS);
    await expect(recordings.get(PRINCIPAL, id)).rejects.toMatchObject({ code: 'recording_not_found' });
    await calls.pass(60_000);
    expect(objects.keys).toEqual([`${id}.wav`]);
    objects.fault = () => null;
    await calls.until(() => objects.keys.length === 0);
  });
});

describe('recordings that wait for a storage that is away', () => {
  it('are kept at their bound, while new calls go on unrecorded and say why, until there is room', async () => {
    const calls = await RecordedCalls.open();
    const { rig, objects } = calls;
    rig.mostWaitingBytes = 5 * BYTES_PER_SECOND;
    const bounded = await calls.start('folder_1');
    objects.fault = () => ({ status: 507, code: 'XMinioStorageFull' });
    const { id: waiting } = await calls.talking();
    await calls.speak(waiting, 6);
    await calls.end(waiting);
    await calls.until(() => bounded.storageBacklog.fullSince !== null);

    const { id: unrecorded } = await calls.talking();
    const events = await bounded.calls.events(PRINCIPAL, unrecorded);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'recording_refused', data: { reason: 'storage_backlog' } }),
    );
    const { resource } = await bounded.views.get(PRINCIPAL, unrecorded);
    expect(resource).toMatchObject({ record_call: false, recording_url: null });
    expect(rig.counters.of('recordings_refused')).toEqual([{ labels: {}, value: 1 }]);
    // What stays on the disk is recorded all the same.
    const { id: local } = await rig.talking();
    expect(await calls.recording(local)).toMatchObject({ status: 'writing' });

    objects.fault = () => null;
    expect(await calls.untilStored(waiting)).toMatchObject({ duration_ms: 6_000, gaps: [] });
    await calls.until(() => bounded.storageBacklog.fullSince === null);
    const { id } = await calls.talking();
    expect(await calls.recording(id)).toMatchObject({ status: 'writing' });
    const told = rig.log.lines.filter(({ limit_bytes }) => limit_bytes === rig.mostWaitingBytes);
    expect(told.map(({ level }) => level)).toEqual(['error', 'info']);
  });
});
