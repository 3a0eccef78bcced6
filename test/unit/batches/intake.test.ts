import { describe, expect, it } from 'vitest';
import { readIntake } from '#batches/intake/intake.js';

const LARGEST_BATCH = 10_000;
const readLines = (lines: readonly string[]) =>
  readIntake({
    mode: 'lenient',
    format: 'csv',
    body: new TextEncoder().encode(['phone', ...lines].join('\n')),
    fields: {},
    region: undefined,
  });

describe('the lines of a table', () => {
  it('count as those of a batch where they cannot be read, too', () => {
    const unreadable = Array.from({ length: LARGEST_BATCH - 1 }, () => '"x');

    expect(readLines(['+14155550123', ...unreadable])).toMatchObject({
      kind: 'read',
      intake: { total: 1, bad: { length: LARGEST_BATCH - 1 } },
    });
    expect(readLines(['+14155550123', '"x', ...unreadable])).toMatchObject({
      kind: 'invalid',
      issues: [{ code: 'too_big', path: ['to_number'], maximum: LARGEST_BATCH }],
    });
  });
});
