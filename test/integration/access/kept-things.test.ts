import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessPurges } from '#access/access-retention.js';
import { idempotencyTransactions, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import { signingSecret } from '#access/tokens/signing-secret.js';
import {
  mintStreamToken,
  STREAM_TOKEN_TTL_MS,
  streamTokenTransactions,
} from '#access/tokens/stream-token.js';
import { createIds } from '#kernel/ids/ids.js';
import type { Store } from '#store/store.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { accessTestTransactions } from '#test/support/access-look-transactions.js';
import { insertCall } from '#test/support/rows.js';
import { startTestStore } from '#test/support/store.js';

const clock = new FakeClock();
const ids = createIds(clock);
let store: Store;

beforeAll(async () => {
  store = await startTestStore();
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
  store.read(idempotencyTransactions.find, { scope: answer.scope, key: answer.key, now: clock.wallMs() });

describe('a stored response', () => {
  it('is found until it expires, and stored once', async () => {
    const answer = answerTo('once');
    await store.write(idempotencyTransactions.keep, { answer });
    expect(await find(answer)).toEqual({ requestHash: 'hash', status: 201, body: '{"id":"call_1"}' });
    await expect(
      store.write(idempotencyTransactions.keep, { answer: { ...answer, body: 'other' } }),
    ).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    expect((await find(answer))?.body).toBe('{"id":"call_1"}');
  });

  it('of one key is stored once for concurrent requests', async () => {
    const answer = answerTo('race');
    const writes = Array.from({ length: 20 }, () => store.write(idempotencyTransactions.keep, { answer }));
    const results = await Promise.allSettled(writes);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('is replaced after it has expired', async () => {
    const answer = answerTo('again');
    await store.write(idempotencyTransactions.keep, { answer });
    await clock.advance(DAY_MS);
    expect(await find(answer)).toBeNull();
    await store.write(idempotencyTransactions.keep, { answer: { ...answerTo('again'), body: 'new' } });
    expect((await find(answer))?.body).toBe('new');
  });

  it('is deleted when it expires, and not before, however many there are', async () => {
    const old = Array.from({ length: 520 }, (_, index) => answerTo(`old-${index}`));
    await Promise.all(old.map((answer) => store.write(idempotencyTransactions.keep, { answer })));
    const { expiresAt } = old[0]!;
    const fresh = { ...answerTo('fresh'), expiresAt: expiresAt + 1 };
    await store.write(idempotencyTransactions.keep, { answer: fresh });
    const [purge] = accessPurges(store);
    const forget = async (now: number) => {
      let slices = 1;
      while (await purge!(now)) slices += 1;
      return slices;
    };
    // With `now` at 0 no response has expired, so the read shows whether the row exists.
    const rowsLeft = async () => {
      const found = await Promise.all(
        [...old, fresh].map(({ scope, key }) =>
          store.read(idempotencyTransactions.find, { scope, key, now: 0 }),
        ),
      );
      return found.filter((answer) => answer !== null).length;
    };
    await forget(expiresAt - 1);
    expect(await rowsLeft()).toBe(521);
    expect(await forget(expiresAt)).toBe(2);
    expect(await rowsLeft()).toBe(1);
  });

  it('loses erased fields, in the responses about the record alone', async () => {
    const body = (id: string) => JSON.stringify({ id, to_phone: '+14155550123', status: 'queued' });
    const about = (id: string, key: string) => ({ ...answerTo(key), subjectId: id, body: body(id) });
    const answers = [about('call_1', 'first'), about('call_1', 'second'), about('call_2', 'other')];
    for (const answer of answers) await store.write(idempotencyTransactions.keep, { answer });
    await store.write(accessTestTransactions.blank, { subjectId: 'call_1', fields: ['to_phone', 'name'] });
    const bodies = await Promise.all(answers.map(async (answer) => (await find(answer))?.body));
    const blank = JSON.stringify({ id: 'call_1', to_phone: '', status: 'queued' });
    expect(bodies).toEqual([blank, blank, body('call_2')]);
  });

  it('loses erased fields also when its key was used before for another record', async () => {
    const answer = { ...answerTo('used-before'), subjectId: 'call_before' };
    await store.write(idempotencyTransactions.keep, { answer });
    await clock.advance(DAY_MS);
    const body = '{"id":"call_after","to_phone":"+14155550123"}';
    await store.write(idempotencyTransactions.keep, {
      answer: { ...answerTo('used-before'), subjectId: 'call_after', body },
    });
    await store.write(accessTestTransactions.blank, { subjectId: 'call_after', fields: ['to_phone'] });
    expect((await find(answer))?.body).toBe('{"id":"call_after","to_phone":""}');
  });
});

describe('the signing secret', () => {
  it('is created once by concurrent callers', async () => {
    const secrets = await Promise.all(Array.from({ length: 5 }, () => signingSecret(store, ids)));
    for (const secret of secrets) expect(secret).toEqual(secrets[0]);
    expect(secrets[0]).toHaveLength(32);
  });
});

describe('a minted stream token', () => {
  it('is random, lasts a minute, and is stored as its hash', () => {
    const minted = mintStreamToken({ ids, clock });
    expect(minted.token).toMatch(/^st_[A-Za-z0-9_-]{32}$/);
    expect(minted.expiresAt).toBe(clock.wallMs() + STREAM_TOKEN_TTL_MS);
    expect(STREAM_TOKEN_TTL_MS).toBe(60_000);
    expect(minted.tokenHash).not.toContain(minted.token);
    expect(mintStreamToken({ ids, clock }).token).not.toBe(minted.token);
  });

  it('is redeemed once, up to its last millisecond', async () => {
    const redeem = (tokenHash: string, at: number) =>
      store.write(accessTestTransactions.redeem, { tokenHash, at });
    const keep = (tokenHash: string) =>
      store.write(streamTokenTransactions.keep, { callId, tokenHash, expiresAt: 60_000 });
    const callId = 'call_good';
    await insertCall(store, callId);
    for (const tokenHash of ['early', 'late']) await keep(tokenHash);
    expect(await redeem('late', 60_000)).toBeNull();
    expect(await redeem('early', 59_999)).toBe(callId);
    expect(await redeem('early', 59_999)).toBeNull();
  });

  it('is deleted when it expires, and not before', async () => {
    const callId = 'call_ends';
    await insertCall(store, callId);
    const expiresAt = 90_000;
    await store.write(streamTokenTransactions.keep, { callId, tokenHash: 'ends', expiresAt });
    const forget = (now: number) => store.write(streamTokenTransactions.purge, { now, limit: 500 });
    await forget(expiresAt - 1);
    expect(await forget(expiresAt)).toBe(1);
  });

  it('is deleted by housekeeping, too', async () => {
    const callId = 'call_swept';
    await insertCall(store, callId);
    const expiresAt = 120_000;
    await store.write(streamTokenTransactions.keep, { callId, tokenHash: 'swept', expiresAt });
    for (const purge of accessPurges(store)) await purge(expiresAt);
    expect(await store.write(streamTokenTransactions.purge, { now: expiresAt, limit: 500 })).toBe(0);
  });
});
