import { describe, expect, it } from 'vitest';
import { socketCredentialOf, credentialsOf } from '#access/credentials.js';

describe('the credentials of a request', () => {
  it.each(['Bearer abc', 'bearer abc', 'BEARER   abc '])('are read from %j', (authorization) => {
    expect(credentialsOf({ authorization })).toEqual(['abc']);
  });

  it('are both headers when both are sent', () => {
    expect(credentialsOf({ authorization: 'Bearer abc', 'x-api-key': 'def' })).toEqual(['abc', 'def']);
  });

  it.each([{}, { authorization: 'Basic abc' }, { authorization: 'Bearer ' }, { 'x-api-key': '' }])(
    'are none in %j',
    (headers) => {
      expect(credentialsOf(headers)).toEqual([]);
    },
  );
});

describe('the credential of a socket', () => {
  it.each([
    [{ headers: { authorization: 'Bearer abc' } }, ['abc']],
    [{ headers: { 'x-api-key': 'abc' } }, ['abc']],
    [{ headers: {}, url: '/ws/stream?token=abc' }, ['abc']],
    [{ headers: {}, url: '/ws/stream?api_key=abc' }, ['abc']],
    [{ headers: { 'sec-websocket-protocol': 'bearer, abc' } }, ['abc']],
    [{ headers: { 'sec-websocket-protocol': 'audio, bearer, abc' } }, ['abc']],
  ])('is found in %j', (request, credentials) => {
    expect(socketCredentialOf(request)).toEqual({ kind: 'principal', credentials });
  });

  it('is a stream token wherever it is sent', () => {
    expect(socketCredentialOf({ headers: {}, url: '/ws/stream?token=st_abc' })).toEqual({
      kind: 'token',
      token: 'st_abc',
    });
    expect(socketCredentialOf({ headers: { authorization: 'Bearer st_abc' } })).toEqual({
      kind: 'token',
      token: 'st_abc',
    });
  });

  it('may be missing', () => {
    expect(socketCredentialOf({ headers: {}, url: '/ws/stream?sample_rate=8000' })).toBeNull();
    for (const names of ['bearer', 'audio.drachtio.org', 'audio, bearer'])
      expect(socketCredentialOf({ headers: { 'sec-websocket-protocol': names } })).toBeNull();
  });
});
