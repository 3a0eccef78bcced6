import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKeys, ensureFirstKey, type ApiKeys } from '#access/keys/api-keys.js';
import { createAuthenticator } from '#access/authenticator.js';
import { createBootstrapKeys } from '#access/keys/bootstrap-keys.js';
import { Problem } from '#kernel/errors/errors.js';
import { createIds } from '#kernel/ids/ids.js';
import type { Store } from '#store/store.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { openPostgres } from '#test/support/postgres.js';
import { openTestStore, startTestStore } from '#test/support/store.js';
import { SwitchedStore } from '#test/support/switched-store.js';

const postgres = await openPostgres();
const clock = new FakeClock();
const { log } = createMemoryLog();
let store: Store;
let apiKeys: ApiKeys;
let parts: Parameters<typeof createApiKeys>[0];

beforeAll(async () => {
  store = await startTestStore();
  parts = { store, clock, ids: createIds(clock), log };
  apiKeys = createApiKeys(parts);
});
afterAll(() => store.close());

const request = { workspace: 'default', name: 'Back office', scopes: ['read'] as const, expiresAt: null };

describe('the first key', () => {
  it('is created once, even after it was revoked', async () => {
    const key = await ensureFirstKey(parts);
    const holder = await apiKeys.holderOf(key!);
    expect(holder).toMatchObject({ workspace: 'default', scopes: ['admin'] });
    expect(await ensureFirstKey(parts)).toBeNull();
    await apiKeys.revoke({ workspace: 'default', id: holder!.id });
    expect(await ensureFirstKey(parts)).toBeNull();
  });

  it.skipIf(postgres.isMissing)('is created by one of several processes that start at once', async () => {
    const store = await openTestStore({ databaseUrl: await postgres.migratedDatabase() });
    const keys = await Promise.all(Array.from({ length: 8 }, () => ensureFirstKey({ ...parts, store })));
    expect(keys.filter((key) => key !== null)).toHaveLength(1);
  });
});

describe('an API key', () => {
  it('is valid for its workspace, and is not in the database', async () => {
    const {
      key,
      row: { id },
    } = await apiKeys.create({ ...request, workspace: 'acme' });
    expect(await apiKeys.holderOf(key)).toEqual({
      id,
      type: 'api_key',
      name: 'Back office',
      workspace: 'acme',
      scopes: ['read'],
      expiresAt: null,
    });
    const { items } = await apiKeys.list({ workspace: 'acme' }, null, 100);
    expect(items.map((row) => row.id)).toEqual([id]);
    expect(JSON.stringify(items)).not.toContain(key.slice('cw_live_'.length, -4));
  });

  it('is invalid at once where it is revoked, and within a second in other processes', async () => {
    const {
      key,
      row: { id },
    } = await apiKeys.create(request);
    const elsewhere = createApiKeys(parts);
    for (const known of [apiKeys, elsewhere]) expect(await known.holderOf(key)).not.toBeNull();
    await apiKeys.revoke({ workspace: 'default', id });
    expect(await apiKeys.holderOf(key)).toBeNull();
    await clock.advance(1_000);
    expect(await elsewhere.holderOf(key)).toBeNull();
  });

  it('is read again after a read that failed', async () => {
    const { key } = await apiKeys.create(request);
    const database = new SwitchedStore(store);
    const elsewhere = createApiKeys({ ...parts, store: database });
    database.isAway = true;
    await expect(elsewhere.holderOf(key)).rejects.toMatchObject({ code: 'unavailable' });
    database.isAway = false;
    expect(await elsewhere.holderOf(key)).not.toBeNull();
  });

  it('that is mistyped is refused without a read', async () => {
    const { key } = await apiKeys.create(request);
    const database = new SwitchedStore(store);
    database.isAway = true;
    const mistyped = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    expect(await createApiKeys({ ...parts, store: database }).holderOf(mistyped)).toBeNull();
  });

  it('is invalid when it expires', async () => {
    const { key } = await apiKeys.create({ ...request, expiresAt: clock.wallMs() + 500 });
    expect(await apiKeys.holderOf(key)).not.toBeNull();
    await clock.advance(500);
    expect(await apiKeys.holderOf(key)).toBeNull();
  });

  it('is not created with an expiry in the past', async () => {
    await expect(apiKeys.create({ ...request, expiresAt: clock.wallMs() })).rejects.toMatchObject({
      code: 'validation_error',
      details: [{ field: 'expires_at' }],
    });
  });

  it('can be revoked from its own workspace only, and once', async () => {
    const {
      row: { id },
    } = await apiKeys.create(request);
    await expect(apiKeys.revoke({ workspace: 'acme', id })).rejects.toMatchObject({
      code: 'api_key_not_found',
    });
    const isListed = async () => {
      const { items } = await apiKeys.list({ workspace: 'default' }, null, 100);
      return items.some((row) => row.id === id);
    };
    expect(await isListed()).toBe(true);
    await apiKeys.revoke({ workspace: 'default', id });
    expect(await isListed()).toBe(false);
    await expect(apiKeys.revoke({ workspace: 'default', id })).rejects.toMatchObject({
      code: 'api_key_not_found',
    });
    await expect(apiKeys.get({ workspace: 'default', id })).rejects.toMatchObject({
      code: 'api_key_not_found',
    });
  });

  it('has its last use stored at most once a minute', async () => {
    const {
      key,
      row: { id },
    } = await apiKeys.create({ ...request, workspace: 'marks' });
    const lastUsed = async () => {
      const { items } = await apiKeys.list({ workspace: 'marks' }, null, 100);
      return items.find((row) => row.id === id)?.last_used_at;
    };
    const first = clock.wallMs();
    await apiKeys.holderOf(key);
    await expect.poll(lastUsed).toBe(first);
    await clock.advance(59_000);
    await apiKeys.holderOf(key);
    await clock.advance(2_000);
    const second = clock.wallMs();
    await apiKeys.holderOf(key);
    await expect.poll(lastUsed).toBe(second);
  });

  it('is valid though its last use cannot be stored, which is logged without the key', async () => {
    const {
      key,
      row: { id },
    } = await apiKeys.create(request);
    const { log: told, lines } = createMemoryLog();
    const full = { ...store, read: store.read.bind(store), write: () => Promise.reject(new Error('full')) };
    const readOnly = createApiKeys({ ...parts, store: full, log: told });
    expect(await readOnly.holderOf(key)).toMatchObject({ id });
    await expect.poll(() => lines).toMatchObject([{ level: 'warn', key_id: id }]);
    expect(JSON.stringify(lines)).not.toContain(key);
  });

  it('is listed newest first, page by page', async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index++) {
      made.unshift((await apiKeys.create({ ...request, workspace: 'pages' })).row.id);
      await clock.advance(1);
    }
    const seen: string[] = [];
    let cursor = null;
    do {
      const page = await apiKeys.list({ workspace: 'pages' }, cursor, 2);
      seen.push(...page.items.map((row) => row.id));
      cursor = page.next;
    } while (cursor !== null);
    expect(seen).toEqual(made);
  });
});

describe('several credentials', () => {
  const failing = { verify: () => Promise.reject(new Problem('unavailable', 'down')) };
  const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln';
  const bootstrap = 'a-bootstrap-key-1';
  const authenticator = () =>
    createAuthenticator({ apiKeys, bootstrapKeys: createBootstrapKeys([bootstrap]), jwt: failing });

  it('need only one that is valid', async () => {
    const { authenticate } = authenticator();
    const headers = { authorization: 'Bearer wrong', 'x-api-key': bootstrap };
    expect(await authenticate(headers)).toMatchObject({ type: 'api_key', scopes: ['admin'] });
    expect(await authenticate({ authorization: `Bearer ${token}`, 'x-api-key': bootstrap })).toBeDefined();
  });

  it('are checked up to the fourth: a request cannot try a list of them', async () => {
    const { authenticateAny } = authenticator();
    const wrong = ['wrong-1', 'wrong-2', 'wrong-3'];
    expect(await authenticateAny([...wrong, bootstrap])).toMatchObject({ scopes: ['admin'] });
    await expect(authenticateAny([...wrong, 'wrong-4', bootstrap])).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('are unavailable, not unauthorized, when the provider of one is down and no other is valid', async () => {
    const { authenticate } = authenticator();
    await expect(authenticate({ authorization: `Bearer ${token}` })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(authenticate({ 'x-api-key': 'wrong' })).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(authenticate({})).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
