import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partKey } from '#calls/recordings/recording-parts.js';
import { stereoHeader } from '#media/samples/wav.js';
import { createFetch } from '#outbound-http/fetch.js';
import { openHttpPool } from '#outbound-http/pool.js';
import { PART_BYTES, S3Storage } from '#object-storage/s3-storage.js';
import { systemClock } from '#kernel/time/clock.js';
import type { Child } from '#test/support/child.js';
import { once } from '#test/support/call-story.js';
import { DYING_SERVICE, dyingAt } from '#test/support/dying-service.js';
import { writeFreshDatabase } from '#test/support/fresh-database.js';
import { startObjectStore, storageEnvironment, type TestObjectStore } from '#test/support/object-store.js';
import { insertAgent, insertCall, insertRow, type Row } from '#test/support/rows.js';
import { spawnService, startService, type Service } from '#test/support/service.js';
import { openTestStore } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { drawn } from '#test/support/tier.js';

const RATE_HZ = 8_000;

let store: TestObjectStore;
let storage: S3Storage;
const pool = openHttpPool({ clock: systemClock });
beforeAll(async () => {
  store = await startObjectStore();
  storage = new S3Storage(store.settings, { fetch: createFetch({ pool }), clock: systemClock });
});
afterAll(async () => {
  await pool.close();
  await store?.close();
});

/** A file of two parts and a little more, as a call leaves it. */
function recordedFile(): Buffer {
  const sound = randomBytes(2 * PART_BYTES + 4_000);
  return Buffer.concat([stereoHeader(RATE_HZ, sound.length), sound]);
}

/** A service whose processes die one after the other at a recording of a call that is over. */
class DyingService {
  readonly folder = temporaryFolder();
  readonly callId = `call_${randomBytes(13).toString('hex')}`;
  readonly #recordings = join(this.folder, 'data/recordings');
  readonly #database = join(this.folder, 'data/callwright.db');

  get path(): string {
    return join(this.#recordings, `${this.callId}.wav`);
  }

  get key(): string {
    return storage.keyOf(`${this.callId}.wav`);
  }

  /** What a service left that died: a recording, and a piece of work on it. */
  async leave(recording: Row, job: { kind: string }): Promise<void> {
    mkdirSync(this.#recordings, { recursive: true });
    await writeFreshDatabase(this.#database);
    const rows = await openTestStore({ databaseUrl: `sqlite:${this.#database}` });
    const [id, at] = [this.callId, systemClock.wallMs()];
    await insertAgent(rows, 'agent_1');
    await insertCall(rows, id, {
      agent_id: 'agent_1',
      status: 'failed',
      ended_reason: 'server_crash',
      record_storage: 's3',
      record_call: 1,
      ended_at: at,
      created_at: at,
      updated_at: at,
    });
    await insertRow(rows, 'recordings', {
      id: `rec_${id}`,
      call_id: id,
      workspace: 'default',
      status: 'ready',
      storage: 'local',
      file_name: `${id}.wav`,
      format: 'wav',
      sample_rate: RATE_HZ,
      channels: 2,
      size_bytes: 0,
      duration_ms: 0,
      created_at: at,
      ...recording,
    });
    const times = { due_at: 0, attempts: 0, created_at: at, updated_at: at };
    await insertRow(rows, 'jobs', { id: `job_${id}`, call_id: id, status: 'pending', ...times, ...job });
    await rows.close();
  }

  /** Starts a process that goes on; without voices, as no call is spoken. */
  async start(): Promise<Service> {
    return startService(this.folder, await this.#environment(), DYING_SERVICE);
  }

  /** Starts a process that dies at a step. */
  async dieAt(step: string): Promise<void> {
    const child = spawnService(this.folder, await this.#environment(step), DYING_SERVICE);
    expect((await child.ended).code, step).toBe('SIGKILL');
  }

  /** Starts a process that is killed when it makes such a request, which the storage is not given. */
  async dieAsking(isIt: (request: IncomingMessage) => boolean, child?: Child): Promise<void> {
    let dying = child;
    store.fail((request) => {
      if (!isIt(request)) return null;
      dying!.process.kill('SIGKILL');
      return 'silent';
    });
    dying ??= spawnService(this.folder, await this.#environment(), DYING_SERVICE);
    expect((await dying.ended).code).toBe('SIGKILL');
    store.fail(null);
  }

  async #environment(step = ''): Promise<Record<string, string>> {
    return { ...storageEnvironment(store), ...(await dyingAt(step)) };
  }

  /** What is stored under a key; null where nothing is. */
  async stored(key = this.key): Promise<Buffer | null> {
    if ((await storage.sizeOf(key)) === null) return null;
    const { body } = await storage.read(key);
    return Buffer.from(await new Response(body).arrayBuffer());
  }

  /** The row of the recording. For when no process runs. */
  row(): Record<string, unknown> {
    const database = new Database(this.#database, { readonly: true });
    try {
      return database.prepare('select * from recordings').get() as Record<string, unknown>;
    } finally {
      database.close();
    }
  }
}

const asks = (method: string, what: RegExp) => (request: IncomingMessage) =>
  request.method === method && what.test(request.url!);

describe('a process that is killed with a recording in hand', () => {
  it('loses nothing of it at any step of its upload', async () => {
    const dying = new DyingService();
    const whole = recordedFile();
    await dying.leave({ parts: 1, object_key: dying.key, size_bytes: whole.length }, { kind: 'upload' });
    writeFileSync(dying.path, whole);
    await storage.put(partKey(dying.key, 1), whole.subarray(44, 1_000));

    const steps: [string, () => Promise<void>][] = [
      ['before it begins', () => dying.dieAsking(asks('POST', /\?uploads/))],
      ['before its first part', () => dying.dieAsking(asks('PUT', /partNumber=1&/))],
      ['after its first part', () => dying.dieAsking(asks('PUT', /partNumber=2&/))],
      ['after its last part', () => dying.dieAsking(asks('POST', /uploadId=/))],
      ['completed, before it is verified', () => dying.dieAsking(asks('HEAD', /\.wav$/))],
      ['verified, before that is written', () => dying.dieAt('storage.verified')],
      ['written, before the file is deleted', () => dying.dieAt('file.unlinked')],
      ['before the parts of the call are deleted', () => dying.dieAsking(asks('DELETE', /\.part-0001/))],
    ];
    for (const [step, die] of drawn(2, steps)) {
      await die();
      const { storage: place } = dying.row();
      const kept = place === 's3' ? await dying.stored() : readFileSync(dying.path);
      expect(kept?.equals(whole), step).toBe(true);
    }
    const service = await dying.start();
    await once(async () => expect(await dying.stored(partKey(dying.key, 1))).toBeNull());
    expect(existsSync(dying.path)).toBe(false);
    expect((await dying.stored())?.equals(whole)).toBe(true);
    await once(() => expect(dying.row()['parts']).toBe(0));

    // And of its deletion.
    const deletion = dying.dieAsking(asks('DELETE', /\.wav$/), service.child);
    const answer = await service.request('DELETE', `/api/calls/${dying.callId}/recording`);
    expect(answer.status).toBe(200);
    await deletion;
    expect(await dying.stored()).not.toBeNull();
    const last = await dying.start();
    expect((await last.request('GET', `/api/calls/${dying.callId}/recording`)).status).toBe(404);
    await once(async () => expect(await dying.stored()).toBeNull());
    await last.kill();
  });

  it('leaves nothing of a call that is erased, at any step', async () => {
    const dying = new DyingService();
    await dying.leave({ parts: 2, object_key: dying.key }, { kind: 'upload' });
    writeFileSync(dying.path, recordedFile());
    for (const number of [1, 2]) await storage.put(partKey(dying.key, number), randomBytes(400));

    // The erasure finds the upload after its first part, and both die.
    store.fail((request) =>
      asks('PUT', /partNumber=2&/)(request) ? { status: 503, code: 'SlowDown' } : null,
    );
    const first = await dying.start();
    await once(() => expect(store.requests.join()).toContain('partNumber=1&'));
    expect((await first.request('DELETE', `/api/calls/${dying.callId}`)).status).toBe(200);
    await first.kill();
    for (const what of drawn(1, [/\.wav$/, /\.part-0001/, /\.part-0002/]))
      await dying.dieAsking(asks('DELETE', what));
    const last = await dying.start();
    await once(() => expect(dying.row()['parts']).toBe(0));
    const keys = [dying.key, partKey(dying.key, 1), partKey(dying.key, 2)];
    expect(await Promise.all(keys.map((key) => dying.stored(key)))).toEqual([null, null, null]);
    expect(existsSync(dying.path)).toBe(false);
    await last.kill();
  });

  it('loses nothing of what another one had stored, at any step of putting it together', async () => {
    const dying = new DyingService();
    const parts = [randomBytes(32_000), randomBytes(32_000), randomBytes(4_000)];
    const leftovers = {
      status: 'writing',
      parts: 4,
      part_bytes: 68_000,
      object_key: dying.key,
      folder_id: 'folder_gone',
    };
    await dying.leave(leftovers, { kind: 'join' });
    for (const [at, part] of parts.entries()) await storage.put(partKey(dying.key, at + 1), part);

    const expectNoFile = () => expect(existsSync(dying.path)).toBe(false);
    const expectJoined = () =>
      expect(dying.row()).toMatchObject({ status: 'ready', storage: 'local', duration_ms: 2_125 });
    const expectStored = async () => expect(await dying.stored()).not.toBeNull();
    const steps: [() => Promise<void>, () => void | Promise<void>][] = [
      [() => dying.dieAsking(asks('GET', /\.part-0001/)), expectNoFile],
      [() => dying.dieAsking(asks('GET', /\.part-0003/)), expectNoFile],
      [() => dying.dieAsking(asks('PUT', /\.wav$/)), expectJoined],
      [() => dying.dieAt('storage.verified'), expectStored],
      [() => dying.dieAsking(asks('DELETE', /\.part-0002/)), expectStored],
    ];
    for (const [die, expectKept] of drawn(2, steps)) {
      await die();
      await expectKept();
    }
    const last = await dying.start();
    await once(() => expect(dying.row()).toMatchObject({ storage: 's3', parts: 0 }));
    expect((await dying.stored())?.subarray(44).equals(Buffer.concat(parts))).toBe(true);
    expect(JSON.parse(String(dying.row()['gaps']))).toEqual([{ start_ms: 2_125, end_ms: null }]);
    expect(await Promise.all([1, 2, 3].map((number) => dying.stored(partKey(dying.key, number))))).toEqual([
      null,
      null,
      null,
    ]);
    await last.kill();
  });
});
