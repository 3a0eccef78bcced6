import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHousekeeping } from '../../../src/access/housekeeping.js';
import { idempotencyUnits, type IdempotentAnswer } from '../../../src/access/idempotency-store.js';
import { signingSecret } from '../../../src/access/secret-store.js';
import { mintStreamToken, STREAM_TOKEN_TTL_MS } from '../../../src/access/stream-token.js';
import { createIds } from '../../../src/kernel/ids.js';
import type { Store } from '../../../src/store/store.js';
import { FakeClock } from '../../support/fake-clock.js';
import { createMemoryLog } from '../../support/memory-log.js';
import { ACCESS_UNITS } from '../../support/server.js';
import { startTestStore } from '../../support/store.js';

const clock = new FakeClock();
const ids = createIds(clock);
let store: Store;

beforeAll(async () => {
  store = await startTestStore({ units: ACCESS_UNITS });
});
afterAll(() => store.close());

const DAY_MS = 86_400_000;

function answerTo(key: string): IdempotentAnswer {
  return {
    scope: 'default api_key key_1 POST /api/calls',
    key,
    requestHash: 'hash',
    status: 201,
    body: '{"id":"call_1"}',
    createdAt: clock.wallMs(),
    expiresAt: clock.wallMs() + DAY_MS,
  };
}
const find = (answer: IdempotentAnswer) =>
  store.read(idempotencyUnits.find, { scope: answer.scope, key: answer.key, now: clock.wallMs() });

describe('a kept answer', () => {
  it('is found until it expires, and kept once', async () => {
    const answer = answerTo('once');
    await store.write(idempotencyUnits.keep, { answer });
    expect(await find(answer)).toEqual({ requestHash: 'hash', status: 201, body: '{"id":"call_1"}' });
    await expect(
      store.write(idempotencyUnits.keep, { answer: { ...answer, body: 'other' } }),
    ).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    expect((await find(answer))?.body).toBe('{"id":"call_1"}');
  });

  it('of one key is kept once when many come at the same time', async () => {
    const answer = answerTo('race');
    const writes = Array.from({ length: 20 }, () => store.write(idempotencyUnits.keep, { answer }));
    const results = await Promise.allSettled(writes);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('gives way when it has expired', async () => {
    const answer = answerTo('again');
    await store.write(idempotencyUnits.keep, { answer });
    await clock.advance(DAY_MS);
    expect(await find(answer)).toBeNull();
    await store.write(idempotencyUnits.keep, { answer: { ...answerTo('again'), body: 'new' } });
    expect((await find(answer))?.body).toBe('new');
  });

  it('is forgotten by the housekeeping, however many there are', async () => {
    const old = Array.from({ length: 520 }, (_, index) => answerTo(`old-${index}`));
    await Promise.all(old.map((answer) => store.write(idempotencyUnits.keep, { answer })));
    const fresh = { ...answerTo('fresh'), expiresAt: clock.wallMs() + 10 * DAY_MS };
    await store.write(idempotencyUnits.keep, { answer: fresh });
    await clock.advance(2 * DAY_MS);
    const housekeeping = createHousekeeping({ store, clock, log: createMemoryLog().log });
    housekeeping.start();
    // Asked as of the beginning of time, an answer is found for as long as its row is there.
    const rowsLeft = async () => {
      const found = await Promise.all(
        old.map(({ scope, key }) => store.read(idempotencyUnits.find, { scope, key, now: 0 })),
      );
      return found.filter((answer) => answer !== null).length;
    };
    await expect.poll(rowsLeft).toBe(0);
    await housekeeping.stop();
    expect(await find(fresh)).not.toBeNull();
  });
});

describe('the housekeeping', () => {
  it('stops between two slices, and goes on when it is started again', async () => {
    let slices = 0;
    let reach = () => {};
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const housekeeping = createHousekeeping({ store, clock, log: createMemoryLog().log }, [
      async () => {
        slices += 1;
        if (slices === 3) reach();
        // There is always more.
        await store.read(idempotencyUnits.find, { scope: '', key: '', now: 0 });
        return true;
      },
    ]);
    housekeeping.start();
    await reached;
    await housekeeping.stop();
    const before = slices;
    await store.read(idempotencyUnits.find, { scope: '', key: '', now: 0 });
    expect(slices).toBe(before);
  });

  it('goes on with the others when one purge fails', async () => {
    const { log, lines } = createMemoryLog();
    let isReached = false;
    const housekeeping = createHousekeeping({ store, clock, log }, [
      () => Promise.reject(new Error('the disk is full')),
      async () => ((isReached = true), false),
    ]);
    housekeeping.start();
    await expect.poll(() => isReached).toBe(true);
    await housekeeping.stop();
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'piece of work failed' }));
  });
});

describe('the signing secret', () => {
  it('is made once, also when several ask at the same time', async () => {
    const secrets = await Promise.all(Array.from({ length: 5 }, () => signingSecret(store, ids)));
    for (const secret of secrets) expect(secret).toEqual(secrets[0]);
    expect(secrets[0]).toHaveLength(32);
  });
});

describe('a minted stream token', () => {
  it('is unguessable, lasts a minute, and only its hash is to be stored', () => {
    const minted = mintStreamToken({ ids, clock });
    expect(minted.token).toMatch(/^st_[A-Za-z0-9_-]{32}$/);
    expect(minted.expiresAt).toBe(clock.wallMs() + STREAM_TOKEN_TTL_MS);
    expect(STREAM_TOKEN_TTL_MS).toBe(60_000);
    expect(minted.tokenHash).not.toContain(minted.token);
    expect(mintStreamToken({ ids, clock }).token).not.toBe(minted.token);
  });
});
