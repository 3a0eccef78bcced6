import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { interpret } from '#playbook/understanding/interpret.js';
import { readValue } from '#playbook/values/value.js';
import { leastProcessorMs } from '#test/support/processor-time.js';

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

describe('a very long reply', () => {
  it('is read from its end, at once', async () => {
    const text = `${'at three or '.repeat(2_000)} ${'and so on '.repeat(100)} at four`;
    const read = () => readValue(text, { kind: 'time' }, { now, region: 'US' });
    expect(read()).toBe('16:00');
    expect(await leastProcessorMs(read)).toBeLessThan(1_000);
  });

  it('costs no more than its length', () => {
    const text = `${'bye '.repeat(10_000)}car`;
    const at = { expectation: { kind: 'anything' }, minConfidence: 0.3, now, region: 'US' } as const;
    expect(interpret({ text, confidence: 0.9 }, at).kind).toBe('answer');
  });
});
