import { describe, expect, it } from 'vitest';
import { verifyPlivoSignature } from '#telephony/carriers/plivo/plivo-signature.js';
import { carrierRequest } from '#test/support/carrier-request.js';
import { handSigned } from '#test/support/signature-vectors/hand-signed.js';
import {
  honestVector,
  plivoCanonicalVectors,
  vectorRequest,
} from '#test/support/signature-vectors/vectors.js';

const TOKEN = 'test_auth_token';
const NONCE = 'x-plivo-signature-v3-nonce';
const SIGNATURE = 'x-plivo-signature-v3';

function signed(text: string, nonce = '1'): Record<string, string> {
  return { [SIGNATURE]: handSigned('sha256', TOKEN, `${text}.${nonce}`, 'base64'), [NONCE]: nonce };
}

describe('signatures of Plivo', () => {
  it.each(plivoCanonicalVectors())(
    'cover $url and $fields as Plivo writes them',
    ({ url, fields, post, get }) => {
      const form = new URLSearchParams(fields).toString();
      const posted = carrierRequest({ url, body: form, headers: signed(post) });
      expect(verifyPlivoSignature(posted, [TOKEN]).genuine).toBe(true);
      const separator = url.includes('?') ? '&' : '?';
      const asked = form === '' ? url : `${url}${separator}${form}`;
      const got = carrierRequest({ method: 'GET', url: asked, headers: signed(get) });
      expect(verifyPlivoSignature(got, [TOKEN]).genuine).toBe(true);
    },
  );

  it('may be one of several, with blanks between them, or be made with the main account’s token', () => {
    const vector = honestVector('plivo');
    const { [SIGNATURE]: signature, ...headers } = vector.headers;
    for (const given of [`AAAA, ${signature!}`, `${signature!} ,AAAA`]) {
      const request = vectorRequest({ ...vector, headers: { ...headers, [SIGNATURE]: given } });
      expect(verifyPlivoSignature(request, [vector.secret]).genuine).toBe(true);
    }
    const byMain = vectorRequest({
      ...vector,
      headers: { ...headers, [SIGNATURE]: 'AAAA', 'x-plivo-signature-ma-v3': signature! },
    });
    expect(verifyPlivoSignature(byMain, [vector.secret]).genuine).toBe(true);
  });

  it('are known again by their nonce, which is signed', () => {
    const vector = honestVector('plivo');
    const first = verifyPlivoSignature(vectorRequest(vector), [vector.secret]);
    expect(verifyPlivoSignature(vectorRequest(vector), [vector.secret])).toEqual(first);
    const url = 'https://calls.test/hook';
    const other = verifyPlivoSignature(carrierRequest({ url, headers: signed(url, '2') }), [TOKEN]);
    expect(other).toEqual({ genuine: true, replayKey: expect.any(String) });
    expect(other.replayKey).not.toBe(first.replayKey);
    for (const nonce of ['', '05429567804466091623']) {
      const headers = { ...vector.headers, [NONCE]: nonce };
      expect(verifyPlivoSignature(vectorRequest({ ...vector, headers }), [vector.secret]).genuine).toBe(
        false,
      );
    }
  });

  it('do not cover what stands behind a `#`, which is never sent', () => {
    const headers = signed('https://calls.test/hook?a=1');
    const request = carrierRequest({ url: 'https://calls.test/hook?a=1#b?c', headers });
    expect(verifyPlivoSignature(request, [TOKEN]).genuine).toBe(true);
    const bare = carrierRequest({
      url: 'https://calls.test/hook#b',
      headers: signed('https://calls.test/hook'),
    });
    expect(verifyPlivoSignature(bare, [TOKEN]).genuine).toBe(true);
  });

  it('do not vouch for a body that they do not cover', () => {
    const url = 'https://calls.test/hook';
    const headers = { ...signed(url), 'content-type': 'application/json' };
    expect(verifyPlivoSignature(carrierRequest({ url, headers }), [TOKEN]).genuine).toBe(true);
    const request = carrierRequest({ url, headers, body: '{"CallUUID":"forged"}' });
    expect(verifyPlivoSignature(request, [TOKEN]).genuine).toBe(false);
  });
});
