import { createHash } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { verifyVonageSignature, type VonageAccount } from '#telephony/carriers/vonage/vonage-signature.js';
import { carrierRequest } from '#test/support/carrier-request.js';

const SECRET = 'vonage-signature-secret-0123456789';
const BODY = '{"uuid":"u1"}';
const NOW_SECONDS = 1_700_000_000;
const CLAIMS = { iss: 'Vonage', iat: NOW_SECONDS, jti: 'j1', payload_hash: sha256(BODY), api_key: 'ours' };
const ACCOUNT: VonageAccount = { signatureSecrets: [SECRET], apiKey: 'ours', applicationId: 'app' };

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function verdict(claims: JWTPayload, account = ACCOUNT, alg = 'HS256') {
  const token = await new SignJWT(claims).setProtectedHeader({ alg }).sign(Buffer.from(SECRET));
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return verifyVonageSignature(carrierRequest({ body: BODY, headers }), account);
}

describe('signatures of Vonage', () => {
  it('are known again by the id of their token', async () => {
    const first = await verdict(CLAIMS);
    expect(first).toEqual({ genuine: true, replayKey: expect.any(String) });
    expect(await verdict({ ...CLAIMS, iat: NOW_SECONDS + 1 })).toEqual(first);
    expect((await verdict({ ...CLAIMS, jti: 'j2' })).replayKey).not.toBe(first.replayKey);
  });

  it.each([
    ['is of another issuer', { iss: 'Nexmo' }],
    ['has no issuer', { iss: undefined }],
    ['has no age', { iat: undefined }],
    ['has no id', { jti: undefined }],
    ['has an empty id', { jti: '' }],
    ['has ended', { exp: NOW_SECONDS }],
    ['is for another payload', { payload_hash: sha256('{}') }],
    ['is for no payload', { payload_hash: undefined }],
    ['is of another account', { api_key: 'theirs' }],
    ['is of no account', { api_key: undefined }],
    ['is of another application', { application_id: 'other' }],
  ])('are refused when the token %s', async (_why, changed) => {
    expect(await verdict({ ...CLAIMS, ...changed })).toEqual({ genuine: false, replayKey: null });
  });

  it('are refused with another algorithm, though the secret is right', async () => {
    expect((await verdict(CLAIMS, ACCOUNT, 'HS512')).genuine).toBe(false);
  });

  it('may be of our application or of none, and of anybody where nothing is said of whose they are', async () => {
    expect((await verdict({ ...CLAIMS, application_id: 'app' })).genuine).toBe(true);
    const anybody = { ...ACCOUNT, apiKey: null, applicationId: null };
    expect((await verdict({ ...CLAIMS, api_key: 'x', application_id: 'y' }, anybody)).genuine).toBe(true);
  });

  it('of a GET cover its query', async () => {
    const query = 'to=1&from=2';
    const claims = { ...CLAIMS, payload_hash: sha256('{"to":"1","from":"2"}') };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET));
    const genuine = async (url: string) => {
      const request = carrierRequest({ method: 'GET', url, headers: { authorization: `bearer ${token}` } });
      return (await verifyVonageSignature(request, ACCOUNT)).genuine;
    };
    expect(await genuine(`https://calls.test/hook?${query}`)).toBe(true);
    expect(await genuine(`https://calls.test/hook?${query}&x=1`)).toBe(false);
    // Written as JSON these two say what was signed; read from the front, they say something else.
    expect(await genuine(`https://calls.test/hook?to=9&${query}`)).toBe(false);
    expect(await genuine('https://calls.test/hook?to=1&from=9&from=2')).toBe(false);
    expect(await genuine('https://calls.test/hook')).toBe(false);
  });
});
