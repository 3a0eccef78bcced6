import { describe, expect, it } from 'vitest';
import { isFresh, isFreshText } from '#telephony/signatures/freshness.js';

const NOW_SECONDS = 1_700_000_000;
const NOW_MS = NOW_SECONDS * 1_000;

describe('the age of a message', () => {
  it('is counted in whole seconds', () => {
    expect(isFresh(NOW_SECONDS - 300, NOW_MS + 999)).toBe(true);
    expect(isFresh(NOW_SECONDS - 300, NOW_MS + 1_000)).toBe(false);
  });

  it.each(['', ' ', '17e8', `${NOW_SECONDS}.0`, `0x${NOW_SECONDS.toString(16)}`, `+${NOW_SECONDS}`, 'NaN'])(
    'is unknown where its time is %j',
    (written) => {
      expect(isFreshText(String(NOW_SECONDS), NOW_MS)).toBe(true);
      expect(isFreshText(written, NOW_MS)).toBe(false);
    },
  );
});
