import { describe, expect, it } from 'vitest';
import { hashApiKey, hintOfApiKey, isApiKey, isIntact, mintApiKey } from '#access/keys/api-key.js';
import { systemClock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';

const ids = createIds(systemClock);

describe('an API key', () => {
  it('is recognised, unique, and has 192 random bits', () => {
    const keys = Array.from({ length: 500 }, () => mintApiKey(ids));
    expect(new Set(keys).size).toBe(500);
    for (const key of keys) expect([isApiKey(key), isIntact(key)]).toEqual([true, true]);
    expect(keys[0]).toMatch(/^cw_live_[A-Za-z0-9_-]{38}$/);
  });

  it('is refused with any character mistyped', () => {
    const key = mintApiKey(ids);
    for (let index = 0; index < key.length; index++) {
      const wrong = key[index] === 'A' ? 'B' : 'A';
      expect(isIntact(key.slice(0, index) + wrong + key.slice(index + 1))).toBe(false);
    }
    for (const text of [key.slice(0, -1), `${key}A`]) {
      expect([isApiKey(text), isIntact(text)]).toEqual([false, false]);
    }
  });

  it('does not show in its hash or its hint', () => {
    const key = mintApiKey(ids);
    expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/);
    expect(hintOfApiKey(key)).toBe(`cw_live_…${key.slice(-4)}`);
  });
});
