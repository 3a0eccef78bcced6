import { describe, expect, it } from 'vitest';
import { pathReplayKey, replayKey } from '#telephony/signatures/replay-key.js';

describe('what tells a message from others', () => {
  it('is another for the same letters in other parts', () => {
    expect(replayKey('ab', 'c')).not.toBe(replayKey('a', 'bc'));
    expect(replayKey('a', '')).not.toBe(replayKey('a'));
  });

  it('is the same whatever stands behind the path', () => {
    const keyAt = (url: string) => pathReplayKey(url, Buffer.from('said'));
    const plain = keyAt('https://calls.test/status');
    for (const end of ['?again', '#again', '?a=1#b', '#b?a=1'])
      expect(keyAt(`https://calls.test/status${end}`)).toBe(plain);
    expect(keyAt('https://calls.test/incoming')).not.toBe(plain);
  });
});
