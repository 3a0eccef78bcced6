import { describe, expect, it } from 'vitest';
import { importSuppressions, type ImportRow } from '../../../src/policy/suppressions/suppression-import.js';

const NOTHING_KNOWN = {
  addSlice: async (_workspace: string, slice: readonly unknown[]) => slice.length,
  check: async () => new Map(),
  hasExpired: () => false,
};
const OPTIONS = {
  workspace: 'default',
  defaults: { reason: 'other', note: null, expiresAt: null },
  isDryRun: false,
} as const;
const MOST_TOLD = 10_000;

describe('the result of an import', () => {
  it('tells of so many rows at most, and counts all', async () => {
    const faulty = Array.from({ length: MOST_TOLD + 5 }, (_none, at): ImportRow => ({
      row: at + 1,
      cells: {},
    }));
    const halfRead = Array.from({ length: MOST_TOLD + 5 }, (_none, at): ImportRow => {
      return { row: at + 1, cells: { phone_number: '+14155550123' }, flaw: 'has a quote too many' };
    });

    const result = await importSuppressions([...faulty, ...halfRead], OPTIONS, NOTHING_KNOWN);

    expect(result).toMatchObject({ invalid: faulty.length, valid: halfRead.length });
    expect(result.errors).toHaveLength(MOST_TOLD);
    expect(result.warnings).toHaveLength(MOST_TOLD);
    expect(result.errors.at(-1)).toMatchObject({ row: MOST_TOLD });
  });
});
