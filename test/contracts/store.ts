import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '#kernel/errors/errors.js';
import { StoreMeter } from '#store/store-meter.js';
import type { Store } from '#store/store.js';
import { openTestStore, startTestStore, type TestStoreOptions } from '#test/support/store.js';
import { sharedTransactions, thingTransactions } from './store-transactions.js';

export const THING_UNITS = new URL('./store-transactions.ts', import.meta.url);
export const THING_MIGRATIONS = new URL('./store-migrations/', import.meta.url);

/**
 * The contract of the store, for every engine.
 * @param freshDatabaseUrl makes an empty database
 * @param threads `own` as in the service, or `near`: in the test's thread
 */
export function storeContract(
  name: string,
  freshDatabaseUrl: () => Promise<string>,
  threads: 'own' | 'near' = 'own',
): void {
  const things = async () => ({
    ...(threads === 'own' && { threadTransactions: [THING_UNITS] }),
    migrationsDir: THING_MIGRATIONS,
    databaseUrl: await freshDatabaseUrl(),
  });
  describe(`store contract: ${name}`, () => {
    const meter = new StoreMeter();
    let store: Store;
    beforeAll(async () => {
      store = await startTestStore({ ...(await things()), meter });
    });
    afterAll(() => store.close());

    writesAndReads(() => store);
    posting(() => store);
    failures(() => store);
    manyAtOnce(() => store);
    sharing(() => store, meter);
    values(() => store);
    counts(() => store, meter);
    limitsAndEnd(things);
  });
}

function writesAndReads(store: () => Store): void {
  it('reads a write as soon as it has resolved', async () => {
    for (let i = 0; i < 50; i += 1) {
      await store().write(thingTransactions.put, { id: `seen-${i}`, amount: i });
      expect(await store().read(thingTransactions.find, `seen-${i}`)).toMatchObject({ amount: i });
    }
  });

  it('types arguments and results', async () => {
    const id: string = await store().write(thingTransactions.put, { id: 'typed' });
    const isNew: boolean = await store().write(thingTransactions.putIfNew, 'typed');
    const ids: string[] = await store().read(thingTransactions.ids, 'typed');
    expect([id, isNew, ids]).toEqual(['typed', false, ['typed']]);
    // @ts-expect-error an argument of another type is refused
    void thingTransactions.putIfNew satisfies (tx: never, args: number) => unknown;
  });

  it('keeps the order of writes that wait for one another', async () => {
    await store().write(thingTransactions.put, { id: 'ordered' });
    for (let i = 0; i < 30; i += 1)
      await store().write(thingTransactions.setNote, { id: 'ordered', note: `${i}` });
    expect(await store().read(thingTransactions.find, 'ordered')).toMatchObject({ note: '29' });
  });

  it('reports a duplicate insert without an error', async () => {
    expect(await store().write(thingTransactions.putIfNew, 'twice')).toBe(true);
    expect(await store().write(thingTransactions.putIfNew, 'twice')).toBe(false);
  });

  it('refuses writes in a read', async () => {
    await expect(store().read(thingTransactions.put, { id: 'sneaked' })).rejects.toThrow(/read-?only/);
    expect(await store().read(thingTransactions.find, 'sneaked')).toBeNull();
  });
}

function posting(store: () => Store): void {
  it('writes what is posted, in its order', async () => {
    expect(await store().write(thingTransactions.post, { id: 'posted' })).toBe('posted');
    expect(await store().read(thingTransactions.find, 'posted')).not.toBeNull();
  });

  it('fails a transaction whose posted statement fails, and only that one', async () => {
    const well = ['p-1', 'p-2', 'p-3'].map((id) => store().write(sharedTransactions.post, { id }));
    const failing = [
      store().write(sharedTransactions.post, { id: 'p-twice', twice: true }),
      store().write(thingTransactions.post, { id: 'p-alone', twice: true }),
      store().write(thingTransactions.postThenLook, 'p-looked'),
    ];
    for (const one of failing) await expect(one).rejects.toThrow(/unique/i);
    expect(await Promise.all(well)).toEqual(['p-1', 'p-2', 'p-3']);
    expect(await store().read(thingTransactions.ids, 'p-')).toEqual(['p-1', 'p-2', 'p-3']);
  });

  it('refuses what is posted in a read', async () => {
    await expect(store().read(thingTransactions.post, { id: 'p-read' })).rejects.toThrow(/read-?only/);
  });
}

function counts(store: () => Store, meter: StoreMeter): void {
  it('counts committed transactions once, and rolled-back ones never', async () => {
    const asked = Array.from({ length: 60 }, (_, i) =>
      store().write(thingTransactions.putAndCount, {
        id: `counted-${i}`,
        note: i % 2 === 0 ? 'even' : 'odd',
        fails: i % 10 === 7,
      }),
    );
    await Promise.allSettled(asked);
    // The order of commits depends on the engine.
    const committed = Object.fromEntries(
      meter.counters.of('things').map(({ labels, value }) => [labels.note, value]),
    );
    expect(committed).toMatchObject({ even: 30, odd: 24 });
  });

  it('reports durations of commits and lengths of queues', async () => {
    const commitsMs: number[] = [];
    meter.onCommit((durationMs) => commitsMs.push(durationMs));
    const writing = store().write(thingTransactions.put, { id: 'timed' });
    const reading = store().read(thingTransactions.count, 'timed');
    expect(meter.queues).toEqual({ writer: 1, reader: 1 });
    await Promise.all([writing, reading]);
    expect(meter.queues).toEqual({ writer: 0, reader: 0 });
    expect(commitsMs).toHaveLength(1);
    expect(commitsMs[0]).toBeGreaterThanOrEqual(0);
  });
}

function failures(store: () => Store): void {
  it('rolls back a transaction that throws, and only that one', async () => {
    const asked = Array.from({ length: 60 }, (_, i) => {
      const transaction = i % 20 === 7 ? thingTransactions.putThenFail : thingTransactions.putIfNew;
      return store().write<string, unknown>(transaction, `beside-${String(i).padStart(2, '0')}`);
    });
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.flatMap((outcome, i) => (outcome.status === 'rejected' ? [i] : []))).toEqual([7, 27, 47]);
    const kept = await store().read(thingTransactions.ids, 'beside-');
    expect(kept).toHaveLength(57);
    expect(kept).not.toContain('beside-07');
  });

  it('rolls back a transaction that reads and throws after it wrote', async () => {
    const [failed, beside] = await Promise.allSettled([
      store().write(thingTransactions.putThenLookAndFail, 'looked'),
      store().write(thingTransactions.put, { id: 'looked-beside' }),
    ]);
    expect([failed.status, beside.status]).toEqual(['rejected', 'fulfilled']);
    expect(await store().read(thingTransactions.ids, 'looked')).toEqual(['looked-beside']);
  });

  it('passes a Problem through with all its fields', async () => {
    const refusal = store().write(thingTransactions.putThenRefuse, 'refused');
    await expect(refusal).rejects.toBeInstanceOf(Problem);
    await expect(refusal).rejects.toMatchObject({
      code: 'invalid_state',
      message: 'refused cannot be put now.',
      details: [{ field: 'id', code: 'invalid_state', message: 'is not free' }],
      retryAfterSeconds: 7,
    });
    expect(await store().read(thingTransactions.find, 'refused')).toBeNull();
  });

  it('turns any other failure into a plain error', async () => {
    const failure = store().write(thingTransactions.putThenFail, 'failed');
    await expect(failure).rejects.toThrow('changed my mind');
    await expect(failure).rejects.not.toBeInstanceOf(Problem);
    await store().write(thingTransactions.put, { id: 'duplicate' });
    const duplicate = store().write(thingTransactions.put, { id: 'duplicate' });
    await expect(duplicate).rejects.toThrow(/unique/i);
    await expect(duplicate).rejects.not.toBeInstanceOf(Problem);
  });

  it('rejects only the call whose argument or result cannot be cloned', async () => {
    const [before, argument, result, failing, after] = await Promise.allSettled([
      store().write(thingTransactions.putIfNew, 'travel-1'),
      store().write(thingTransactions.bind, () => 1),
      store().write(thingTransactions.returnFunction, undefined),
      store().write(thingTransactions.putThenFail, 'travel-fails'),
      store().write(thingTransactions.putIfNew, 'travel-2'),
    ]);
    expect([before, argument, result, after].map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(failing).toMatchObject({ reason: { message: 'changed my mind' } });
    expect(await store().read(thingTransactions.count, 'travel-')).toBe(2);
  });
}

function manyAtOnce(store: () => Store): void {
  it('gives one row to one of many claimers', async () => {
    await store().write(thingTransactions.put, { id: 'wanted' });
    const claims = Array.from({ length: 30 }, (_, i) =>
      store().write(thingTransactions.claim, { owner: `owner-${i}`, prefix: 'wanted', limit: 1 }),
    );
    expect((await Promise.all(claims)).filter((ids) => ids.length > 0)).toEqual([['wanted']]);
  });

  it('gives each of many rows to one claimer', async () => {
    const ids = Array.from({ length: 200 }, (_, i) => `claim-${String(i).padStart(3, '0')}`);
    await store().write(thingTransactions.putMany, { ids });
    const claimed: string[] = [];
    const claimer = async (owner: string) => {
      for (;;) {
        const taken = await store().write(thingTransactions.claim, { owner, prefix: 'claim-', limit: 7 });
        claimed.push(...taken);
        // Rows that another claimer holds are skipped, so nothing taken is not yet the end.
        if (taken.length === 0 && claimed.length >= ids.length) return;
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(claimer));
    expect(claimed.toSorted()).toEqual(ids);
  });

  it('loses no increment', async () => {
    await store().write(thingTransactions.put, { id: 'counter', amount: 0 });
    const increments = Array.from({ length: 200 }, () =>
      store().write(thingTransactions.add, { id: 'counter', amount: 1 }),
    );
    await Promise.all(increments);
    expect(await store().read(thingTransactions.find, 'counter')).toMatchObject({ amount: 200 });
  });

  it('runs thousands of transactions, and one of thousands of rows', async () => {
    const transactions = Array.from({ length: 2_000 }, (_, i) =>
      store().write(thingTransactions.put, { id: `many-${i}` }),
    );
    const ids = Array.from({ length: 2_000 }, (_, i) => `big-${i}`);
    expect(await store().write(thingTransactions.putMany, { ids })).toBe(2_000);
    await Promise.all(transactions);
    expect(await store().read(thingTransactions.count, 'many-')).toBe(2_000);
    expect(await store().read(thingTransactions.count, 'big-')).toBe(2_000);
  });
}

/** Transactions that may share a commit. On SQLite all do. */
function sharing(store: () => Store, meter: StoreMeter): void {
  const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

  it('commits several at once, and answers each', async () => {
    const commitsMs: number[] = [];
    meter.onCommit((durationMs) => commitsMs.push(durationMs));
    const put = ids('together', 8).map((id) => store().write(sharedTransactions.put, { id }));
    expect(await Promise.all(put)).toEqual(ids('together', 8));
    expect(commitsMs).toHaveLength(1);
    const found = await Promise.all(
      ids('together', 8).map((id) => store().read(sharedTransactions.find, { id })),
    );
    expect(found.map((row) => row?.['id'])).toEqual(ids('together', 8));
  });

  it.each([
    [
      'fails after it wrote',
      'changed my mind',
      (id: string) => store().write(sharedTransactions.putThenFail, { id }),
    ],
    ['meets an SQL error', /unique/i, () => store().write(sharedTransactions.put, { id: 'taken' })],
    [
      'fails before it wrote',
      'There is no',
      (id: string) => store().write(sharedTransactions.require, { id }),
    ],
  ])('undoes one that %s, and none beside it', async (how, message, fail) => {
    await store().write(thingTransactions.putIfNew, 'taken');
    const before = ids(`${how}-1`, 3).map((id) => store().write(sharedTransactions.put, { id }));
    const failing = fail(`${how}-0`);
    const after = ids(`${how}-2`, 3).map((id) => store().write(sharedTransactions.put, { id }));
    await expect(failing).rejects.toThrow(message);
    const done = await Promise.all([...before, ...after]);
    expect(await store().read(thingTransactions.ids, how)).toEqual(done);
  });

  it('counts those of a commit that was undone and made again once', async () => {
    const asked = ids('recounted', 16).map((id, i) =>
      store().write(sharedTransactions.putAndCount, { id, note: 'recounted', fails: i % 8 === 5 }),
    );
    await Promise.allSettled(asked);
    const counted = meter.counters.of('things').find(({ labels }) => labels.note === 'recounted');
    expect(counted?.value).toBe(14);
  });

  it('runs those of one subject one after the other', async () => {
    await store().write(thingTransactions.put, { id: 'subject', amount: 0 });
    const amounts = await Promise.all(
      Array.from({ length: 100 }, () => store().write(sharedTransactions.increment, { id: 'subject' })),
    );
    expect(amounts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  });

  it('keeps those apart that lock the same name', async () => {
    await store().write(thingTransactions.put, { id: 'common', amount: 0 });
    await Promise.all(
      ids('of-common', 100).map((id) =>
        store().write(sharedTransactions.incrementCommon, { id, common: 'common' }),
      ),
    );
    expect(await store().read(thingTransactions.find, 'common')).toMatchObject({ amount: 100 });
  });
}

function values(store: () => Store): void {
  it.each([
    ['nothing', { owner: null, amount: null, ratio: null, note: null }],
    ['texts of any script', { note: 'Grüße, 你好, مرحبا, 🙂, \u{1F469}\u200D\u{1F680}, \t\r\n\\ \' " ? $1' }],
    ['an empty text', { note: '' }],
    ['a long text', { note: 'word '.repeat(100_000) }],
    ['an instant', { amount: 1_795_224_519_306 }],
    ['the largest exact integer', { amount: Number.MAX_SAFE_INTEGER }],
    ['the smallest exact integer', { amount: Number.MIN_SAFE_INTEGER }],
    ['a fraction', { ratio: 0.1 + 0.2 }],
    ['a tiny number', { ratio: 5e-300 }],
    ['a huge number', { ratio: -1.7976931348623157e308 }],
  ])('keeps %s', async (what, columns) => {
    const id = `value-${what}`;
    await store().write(thingTransactions.put, { id, ...columns });
    expect(await store().read(thingTransactions.find, id)).toMatchObject({ id, ...columns });
  });

  it('refuses the NUL character, which PostgreSQL cannot store, as bad input', async () => {
    await expect(store().write(thingTransactions.put, { id: 'nul', note: 'a\0b' })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });

  it.each([[true], [undefined], [Number.NaN], [Infinity], [{}], [1n]])(
    'refuses to bind %s',
    async (value) => {
      await expect(store().write(thingTransactions.bind, value)).rejects.toThrow(
        'cannot be bound to an SQL statement',
      );
    },
  );
}

function limitsAndEnd(things: () => Promise<TestStoreOptions>): void {
  it('refuses requests beyond the queue limit, and finishes the waiting ones', async () => {
    const store = await openTestStore({ ...(await things()), queueLimit: 10 });
    const asked = Array.from({ length: 12 }, (_, i) =>
      store.write(thingTransactions.put, { id: `queued-${i}` }),
    );
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(10);
    expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 1 } });
    await store.write(thingTransactions.put, { id: 'queued-later' });
    expect(await store.read(thingTransactions.count, 'queued-')).toBe(11);
  });

  it('finishes requested transactions when it closes, refuses later ones, and keeps all writes', async () => {
    const options = await things();
    const first = await openTestStore(options);
    const asked = Array.from({ length: 100 }, (_, i) =>
      first.write(thingTransactions.put, { id: `late-${i}` }),
    );
    const closing = first.close();
    await expect(first.write(thingTransactions.put, { id: 'late-refused' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await Promise.all([...asked, closing]);
    await first.close();
    await expect(first.read(thingTransactions.count, 'late-')).rejects.toMatchObject({ code: 'unavailable' });

    const second = await openTestStore(options);
    expect(await second.read(thingTransactions.count, 'late-')).toBe(100);
  });
}
