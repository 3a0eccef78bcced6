import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { signatureHeaders, verifyBody, type SigningSecrets } from '#webhooks/deliveries/signature.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const OTHER = 'whsec_HxseHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgE=';
const BODY =
  '{"event_type":"call.completed","timestamp":"2027-03-14T07:30:00.000Z","webhook_id":"evt_01JPF0000000000000000000","data":{"id":"call_1","status":"completed"}}';

function sign(secrets: SigningSecrets, body: string, id = 'evt_1') {
  // The package has no clock to inject: it reads the machine's.
  const timestampSeconds = Math.floor(systemClock.wallMs() / 1_000);
  return signatureHeaders(secrets, { id, timestampSeconds, body });
}

function accepts(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe('a signature', () => {
  it('is the known one', () => {
    const message = { id: 'evt_01JPF0000000000000000000', timestampSeconds: 1_805_009_400, body: BODY };

    expect(signatureHeaders({ current: SECRET, previous: null }, message)).toEqual({
      'x-service-signature': '1cc9c282748c791d87491e0a519d3feb0b0c25b4f116fc645f63d2d0e29ced2e',
      'webhook-id': message.id,
      'webhook-timestamp': '1805009400',
      'webhook-signature': 'v1,2IsCQ6Lx08PHnzRLT9cqiv0y5kHNTR07UYaHqnzYIWk=',
    });
  });

  it('is accepted by the package of Standard Webhooks, and by no other secret', () => {
    const headers = sign({ current: SECRET, previous: null }, BODY);

    expect(accepts(SECRET, BODY, headers)).toBe(true);
    expect(accepts(OTHER, BODY, headers)).toBe(false);
  });

  it('is accepted with a secret of any form that a client may bring', () => {
    for (const secret of ['a-secret-of-my-own-42', 'whsec_Zk1v0b3n2m4c5x6z7l8k9j0h', '0123456789abcdef']) {
      const headers = sign({ current: secret, previous: null }, BODY);
      expect(verifyBody(secret, BODY, headers['x-service-signature']), secret).toBe(true);
    }
    const raw = sign({ current: 'a-secret-of-my-own-42', previous: null }, BODY);
    expect(() => new Webhook('a-secret-of-my-own-42', { format: 'raw' }).verify(BODY, raw)).not.toThrow();
  });

  it('is invalid for a body with any bit changed', () => {
    const headers = sign({ current: SECRET, previous: null }, BODY);
    const bytes = Buffer.from(BODY);
    for (let bit = 0; bit < bytes.length * 8; bit += 37) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(verifyBody(SECRET, flipped, headers['x-service-signature'])).toBe(false);
      expect(accepts(SECRET, flipped.toString('latin1'), headers)).toBe(false);
    }
    expect(verifyBody(SECRET, bytes, headers['x-service-signature'])).toBe(true);
  });

  it('stays valid for receivers with either secret during a rotation', () => {
    const rejects = { interfaceOwn: 0, standardBefore: 0, standardAfter: 0 };
    for (let count = 0; count < 1_000; count += 1) {
      const body = JSON.stringify({ count });
      const inOverlap = count >= 400 && count < 800;
      const current = count < 400 ? SECRET : OTHER;
      const headers = sign({ current, previous: inOverlap ? SECRET : null }, body, `evt_${count}`);
      // x-service-signature holds one signature: it stays with the old secret until the overlap ends.
      const own = count < 800 ? SECRET : OTHER;
      if (!verifyBody(own, body, headers['x-service-signature'])) rejects.interfaceOwn += 1;
      if (count < 800 && !accepts(SECRET, body, headers)) rejects.standardBefore += 1;
      if (count >= 400 && !accepts(OTHER, body, headers)) rejects.standardAfter += 1;
      if (count >= 800) expect(accepts(SECRET, body, headers)).toBe(false);
    }
    expect(rejects).toEqual({ interfaceOwn: 0, standardBefore: 0, standardAfter: 0 });
  });
});
