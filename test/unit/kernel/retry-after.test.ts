import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '#kernel/input/retry-after.js';

describe('Retry-After', () => {
  const now = Date.UTC(2027, 2, 14, 7, 30);

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['0.5', 500],
    ['Sun, 14 Mar 2027 07:32:00 GMT', 120_000],
    ['Sun, 14 Mar 2027 07:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    [null, null],
  ])('%s', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });
});
