import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { PART_BYTES, S3Storage } from '#object-storage/s3-storage.js';
import { createFetch } from '#outbound-http/fetch.js';
import { openHttpPool } from '#outbound-http/pool.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { startObjectStore, type TestObjectStore } from '#test/support/object-store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

// The hosts of the storage are names of this machine.
const pool = openHttpPool({
  clock: systemClock,
  lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
});
const read = createFetch({ pool });
afterAll(() => pool.close());

const storageOf = (
  store: TestObjectStore,
  changes: Partial<TestObjectStore['settings']> = {},
  clock = systemClock,
) => new S3Storage({ ...store.settings, ...changes }, { fetch: read, clock });

const noProgress = async () => {};

function fileOf(bytes: Uint8Array): string {
  const path = join(temporaryFolder(), 'a.wav');
  writeFileSync(path, bytes);
  return path;
}

const bytesOf = async ({ body }: { body: ReadableStream | null }) =>
  Buffer.from(await new Response(body).arrayBuffer());

describe.each(['path', 'host'] as const)('a storage addressed in %s style', (style) => {
  let store: TestObjectStore;
  beforeAll(async () => void (store = await startObjectStore(style)));
  afterAll(() => store.close());

  it.each([
    ['at once', 1_000],
    ['in parts', PART_BYTES * 2 + 5],
  ])('keeps a file that is uploaded %s, whole and in ranges', async (_how, size) => {
    const storage = storageOf(store);
    const key = storage.keyOf('call_1.wav');
    const bytes = randomBytes(size);
    const progress: number[] = [];
    await storage.upload(key, fileOf(bytes), async (stored) => void progress.push(stored));

    expect(progress.at(-1)).toBe(size);
    expect(await storage.sizeOf(key)).toBe(size);
    const whole = await storage.read(key);
    expect(whole).toMatchObject({ status: 200, headers: { 'content-length': String(size) } });
    expect((await bytesOf(whole)).equals(bytes)).toBe(true);
    const range = await storage.read(key, 'bytes=2-5');
    expect(range.status).toBe(206);
    expect((await bytesOf(range)).equals(bytes.subarray(2, 6))).toBe(true);

    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.sizeOf(key)).toBeNull();
  });

  it('gives out addresses that are valid for a while, and nothing without one', async () => {
    const storage = storageOf(store);
    const key = storage.keyOf('call_2.wav');
    await storage.upload(key, fileOf(randomBytes(50)), noProgress);
    const address = await storage.signedAddress(key, { seconds: 60, attachment: 'call_2.wav' });

    const signed = await read(address);
    expect(signed.status).toBe(200);
    expect(signed.headers.get('content-disposition')).toBe('attachment; filename="call_2.wav"');
    expect((await signed.arrayBuffer()).byteLength).toBe(50);
    expect((await read(address.split('?', 1)[0]!)).status).toBe(403);
    expect((await read(address.replace('call_2', 'call_1'))).status).toBe(403);
    const anHourAgo = new FakeClock(systemClock.wallMs() - 3_600_000);
    const old = await storageOf(store, {}, anHourAgo).signedAddress(key, { seconds: 60 });
    expect((await read(old)).status).toBe(403);
  });

  it('is probed by writing, reading and deleting', async () => {
    await storageOf(store).probe();
  });
});

describe('a storage that fails', () => {
  let store: TestObjectStore;
  beforeAll(async () => void (store = await startObjectStore()));
  afterAll(() => store.close());

  it.each([
    ['a wrong secret', { secretAccessKey: 'changed' }, 'forbidden'],
    ['a key that is not known', { accessKeyId: 'AKIDWRONG' }, 'forbidden'],
    ['a bucket that does not exist', { bucket: 'nowhere' }, 'not_found'],
    ['no server', { endpoint: 'http://localhost:9' }, 'unreachable'],
  ])('is told apart: %s', async (_what, changes, failure) => {
    await expect(storageOf(store, changes).probe()).rejects.toMatchObject({ name: 'StorageError', failure });
  });

  it('is told apart: a clock that is off', async () => {
    const clock = new FakeClock(systemClock.wallMs() - 3_600_000);
    await expect(storageOf(store, {}, clock).probe()).rejects.toMatchObject({ failure: 'clock' });
  });

  it.each([
    [{ status: 503, code: 'SlowDown' }, 'unreachable'],
    [{ status: 507, code: 'XMinioStorageFull' }, 'full'],
    ['reset', 'unreachable'],
  ] as const)('is told apart: %o', async (fault, failure) => {
    store.fail(() => fault);
    await expect(storageOf(store).probe()).rejects.toMatchObject({ failure });
    store.fail(null);
  });

  it('keeps nothing of an upload whose second part fails', async () => {
    const storage = storageOf(store);
    const key = storage.keyOf('call_3.wav');
    const path = fileOf(randomBytes(PART_BYTES + 1));
    store.fail(({ url }) => (url!.includes('partNumber=2') ? 'reset' : null));
    await expect(storage.upload(key, path, noProgress)).rejects.toMatchObject({ failure: 'unreachable' });
    store.fail(null);
    expect(await storage.sizeOf(key)).toBeNull();
    expect(store.requests.at(-2)).toMatch(/^DELETE .*uploadId=/);
    await storage.upload(key, path, noProgress);
    expect(await storage.sizeOf(key)).toBe(PART_BYTES + 1);
  });
});
