import { describe, expect, it } from 'vitest';
import { createRecordingTokens } from '#access/tokens/recording-token.js';
import { FakeClock } from '#test/support/fake-clock.js';

const CALL = 'call_01kakb8x6te1tr7m3qf0c9w2af';

describe('the token of a recording', () => {
  it('is valid for its recording until it expires', async () => {
    const clock = new FakeClock();
    const tokens = createRecordingTokens({ secret: Buffer.alloc(32, 1), clock });
    const token = tokens.sign(CALL, clock.wallMs() + 60_000);
    expect(token).toMatch(/^rt_/);
    expect(tokens.isValid(CALL, token)).toBe(true);
    await clock.advance(59_999);
    expect(tokens.isValid(CALL, token)).toBe(true);
    await clock.advance(1);
    expect(tokens.isValid(CALL, token)).toBe(false);
  });

  it('is not valid for another recording, another expiry, or another installation', () => {
    const clock = new FakeClock();
    const tokens = createRecordingTokens({ secret: Buffer.alloc(32, 1), clock });
    const expiresAt = clock.wallMs() + 60_000;
    const token = tokens.sign(CALL, expiresAt);
    const longer = token.replace(expiresAt.toString(36), (expiresAt + 1_000_000).toString(36));
    const elsewhere = createRecordingTokens({ secret: Buffer.alloc(32, 2), clock });
    expect(longer).not.toBe(token);
    expect(tokens.isValid('call_other', token)).toBe(false);
    expect(tokens.isValid(CALL, longer)).toBe(false);
    expect(elsewhere.isValid(CALL, token)).toBe(false);
    for (const junk of ['', 'rt_', 'rt_1_x', token.slice(0, -1), `${token}A`])
      expect(tokens.isValid(CALL, junk)).toBe(false);
  });

  it('is valid in one spelling only', () => {
    const clock = new FakeClock();
    const tokens = createRecordingTokens({ secret: Buffer.alloc(32, 1), clock });
    const token = tokens.sign(CALL, clock.wallMs() + 60_000);
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const good = [...characters].filter((last) => tokens.isValid(CALL, token.slice(0, -1) + last));
    expect(good).toEqual([token.at(-1)]);
  });
});
