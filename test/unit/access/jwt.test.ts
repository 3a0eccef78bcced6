import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { toInstantOrNull } from '#kernel/time/clock.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { createJwtVerifier, isJwt } from '#access/tokens/jwt.js';
import { createKeySet } from '#access/tokens/key-set.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const options = { issuer: 'https://id.example.com/', audience: 'voice', workspaceClaim: 'org' };
type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let first: Keys;
let second: Keys;

beforeAll(async () => {
  [first, second] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
});

const jwkOf = async (keys: Keys, kid?: string) => ({
  ...(await exportJWK(keys.publicKey)),
  alg: 'ES256',
  ...(kid && { kid }),
});

/** A verifier whose identity provider publishes `published()`, or is down when that throws. */
function createVerifier(published: () => Promise<unknown>) {
  const clock = new FakeClock();
  let fetches = 0;
  const keySet = createKeySet('https://id.example.com/jwks', {
    clock,
    log: createMemoryLog().log,
    fetchKeySet: () => {
      fetches++;
      return published();
    },
  });
  const token = (claims: JWTPayload = {}, keys = first, kid: string | null = 'one') => {
    const now = Math.floor(clock.wallMs() / 1_000);
    const payload = {
      sub: 'user-1',
      iss: options.issuer,
      aud: options.audience,
      exp: now + 3_600,
      ...claims,
    };
    return new SignJWT(JSON.parse(JSON.stringify(payload)) as JWTPayload)
      .setProtectedHeader({ alg: 'ES256', ...(kid && { kid }) })
      .sign(keys.privateKey);
  };
  return { clock, verifier: createJwtVerifier(options, { keySet, clock }), token, fetched: () => fetches };
}

const provider = () => createVerifier(async () => ({ keys: [await jwkOf(first, 'one')] }));

describe('a token of the identity provider', () => {
  it('gives the principal, its workspace and its scopes', async () => {
    const { verifier, token, clock } = provider();
    const exp = Math.floor(clock.wallMs() / 1_000) + 60;
    const principal = await verifier.verify(
      await token({ org: 'acme', scope: 'openid read admin', name: 'Ada', exp }),
    );
    expect(principal).toEqual({
      id: 'user-1',
      type: 'jwt',
      name: 'Ada',
      workspace: 'acme',
      scopes: ['read', 'admin'],
      expiresAt: exp * 1_000,
    });
  });

  it.each([
    [{}, ['read', 'write']],
    [{ scopes: ['write'] }, ['write']],
    [{ scopes: 'read write' }, ['read', 'write']],
    [{ scp: ['read'] }, ['read']],
    [{ scp: 'openid read' }, ['read']],
    [{ scope: 'openid profile' }, ['read', 'write']],
    [{ scope: 'openid billing' }, []],
    [{ scope: '' }, []],
    [{ scope: ' ' }, []],
    [{ scp: [] }, []],
    [{ scope: 7 }, []],
  ])('with %j has the scopes %j', async (claims, scopes) => {
    const { verifier, token } = provider();
    expect((await verifier.verify(await token(claims as JWTPayload)))?.scopes).toEqual(scopes);
  });

  it.each<[string, JWTPayload]>([
    ['no expiry', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['an expiry in the past', { exp: 1_000 }],
    ['a start in the future', { nbf: 99_999_999_999 }],
    ['another issuer', { iss: 'https://evil.example.com/' }],
    ['another audience', { aud: 'other' }],
    ['a workspace that is none', { org: { $ne: null } }],
  ] as [string, JWTPayload][])('is refused with %s', async (_why, claims) => {
    const { verifier, token } = provider();
    expect(await verifier.verify(await token(claims))).toBeNull();
  });

  it.each([253_402_300_800, 1e15, Number.MAX_SAFE_INTEGER])(
    'takes an expiry that no answer can tell: %s',
    async (exp) => {
      const { verifier, token } = provider();
      const principal = await verifier.verify(await token({ exp }));
      expect(toInstantOrNull(principal!.expiresAt)).toBe('9999-12-31T23:59:59.999Z');
    },
  );

  it('is valid for five seconds past its expiry, as clocks differ, and no longer', async () => {
    const { verifier, token, clock } = provider();
    const short = await token({ exp: Math.floor(clock.wallMs() / 1_000) + 60 });
    await clock.advance(64_000);
    expect(await verifier.verify(short)).not.toBeNull();
    await clock.advance(1_000);
    expect(await verifier.verify(short)).toBeNull();
  });

  it('is refused unsigned, signed with a shared secret, by another key, or changed', async () => {
    const { verifier, token, clock } = provider();
    const claims = { sub: 'user-1', iss: options.issuer, aud: options.audience };
    const exp = Math.floor(clock.wallMs() / 1_000) + 60;
    const unsigned = new UnsecuredJWT(claims).setExpirationTime(exp).encode();
    const shared = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .setExpirationTime(exp)
      .sign(Buffer.from(JSON.stringify(await jwkOf(first, 'one'))));
    const good = await token();
    const [head, , signature] = good.split('.');
    const changed = [
      head,
      Buffer.from(JSON.stringify({ ...claims, exp, sub: 'root' })).toString('base64url'),
      signature,
    ];
    for (const bad of [unsigned, shared, await token({}, second), changed.join('.'), `${good}x`])
      expect(await verifier.verify(bad)).toBeNull();
    expect(await verifier.verify(good)).not.toBeNull();
  });

  it('is verified by the matching key when it names none', async () => {
    const { verifier, token } = createVerifier(async () => ({
      keys: [await jwkOf(second), await jwkOf(first)],
    }));
    expect(await verifier.verify(await token({}, first, null))).not.toBeNull();
  });
});

describe('the keys of the identity provider', () => {
  it('are fetched once for many tokens, and again when they are old', async () => {
    const { verifier, token, clock, fetched } = provider();
    const long = await token({ exp: 99_999_999_999 });
    await Promise.all(Array.from({ length: 20 }, () => verifier.verify(long)));
    expect(fetched()).toBe(1);
    await clock.advance(11 * 60_000);
    await verifier.verify(long);
    expect(fetched()).toBe(2);
  });

  it('are fetched again for an unknown key, but not for every such token', async () => {
    let keys = [await jwkOf(first, 'one')];
    const { verifier, token, clock, fetched } = createVerifier(async () => ({ keys }));
    expect(await verifier.verify(await token())).not.toBeNull();
    keys = [await jwkOf(first, 'one'), await jwkOf(second, 'two')];
    await clock.advance(10_000);
    expect(await verifier.verify(await token({}, second, 'two'))).not.toBeNull();
    expect(fetched()).toBe(2);
    for (let index = 0; index < 20; index++)
      expect(await verifier.verify(await token({}, second, `no-${index}`))).toBeNull();
    expect(fetched()).toBe(2);
  });

  it('stay valid while the provider is down', async () => {
    let isDown = false;
    const { verifier, token, clock } = createVerifier(async () => {
      if (isDown) throw new Error('connection refused');
      return { keys: [await jwkOf(first, 'one')] };
    });
    const long = await token({ exp: 99_999_999_999 });
    expect(await verifier.verify(long)).not.toBeNull();
    isDown = true;
    await clock.advance(24 * 3_600_000);
    expect(await verifier.verify(long)).not.toBeNull();
    await expect(verifier.verify(await token({}, second, 'two'))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('are used without waiting while the provider hangs', async () => {
    let hang: ((error: Error) => void) | null = null;
    let isDown = false;
    const { verifier, token, clock, fetched } = createVerifier(async () => {
      if (isDown) await new Promise((_resolve, reject) => (hang = reject));
      return { keys: [await jwkOf(first, 'one')] };
    });
    const long = await token({ exp: 99_999_999_999 });
    await verifier.verify(long);
    isDown = true;
    await clock.advance(11 * 60_000);
    const patient = verifier.verify(long);
    await clock.advance(5_000);
    hang!(new Error('no answer'));
    expect(await patient).not.toBeNull();
    for (let times = 0; times < 3; times += 1) {
      await clock.advance(10_000);
      expect(await verifier.verify(long)).not.toBeNull();
    }
    expect(fetched()).toBe(3);
    isDown = false;
    hang!(new Error('no answer'));
    await clock.advance(10_000);
    await verifier.verify(long);
    await clock.advance(1);
    await verifier.verify(long);
    expect(fetched()).toBe(4);
  });

  it('make a token unavailable, not unauthorized, when they were never fetched', async () => {
    const { verifier, token, clock } = createVerifier(() => Promise.reject(new Error('connection refused')));
    await expect(verifier.verify(await token())).rejects.toMatchObject({ code: 'unavailable' });
    await clock.advance(1);
    await expect(verifier.verify(await token())).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 10,
    });
  });
});

it('is told from other credentials by its form', () => {
  expect(isJwt('eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln')).toBe(true);
  expect(isJwt('cw_live_abc.def.ghi')).toBe(false);
  const ofLength = (length: number) => 'eyJ0.e.'.padEnd(length, 'a');
  expect([16_384, 16_385].map((length) => isJwt(ofLength(length)))).toEqual([true, false]);
  expect(isJwt('eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0')).toBe(false);
});
