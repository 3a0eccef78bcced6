import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readTableRecords } from '#kernel/input/table-records.js';
import type { ImportRow } from '#policy/suppressions/import-row.js';
import { importSuppressions } from '#policy/suppressions/suppression-import.js';
import { readSuppressionTable } from '#policy/suppressions/suppression-table.js';

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
const MOST_REPORTED = 10_000;

describe('the result of an import', () => {
  it('reports a bounded number of rows, and counts all', async () => {
    const faulty = Array.from({ length: MOST_REPORTED + 5 }, (_none, at): ImportRow => ({
      row: at + 1,
      cells: {},
    }));
    const halfRead = Array.from({ length: MOST_REPORTED + 5 }, (_none, at): ImportRow => {
      return { row: at + 1, cells: { phone_number: '+14155550123' }, flaw: 'has a quote too many' };
    });

    const result = await importSuppressions([faulty, halfRead], OPTIONS, NOTHING_KNOWN);

    expect(result).toMatchObject({ invalid: faulty.length, valid: halfRead.length });
    expect(result.errors).toHaveLength(MOST_REPORTED);
    expect(result.warnings).toHaveLength(MOST_REPORTED);
    expect(result.errors.at(-1)).toMatchObject({ row: MOST_REPORTED });
  });

  it('reports no more where the last row has several faults', async () => {
    const cells = { phone_number: '+14155550123', reason: 'whim', expires_at: 'soon' };
    const rows = Array.from({ length: MOST_REPORTED }, (_none, at): ImportRow => ({
      row: at + 1,
      cells: at === 0 ? {} : cells,
    }));

    const result = await importSuppressions([rows], OPTIONS, NOTHING_KNOWN);

    expect(result).toMatchObject({ invalid: rows.length, valid: 0 });
    expect(result.errors).toHaveLength(MOST_REPORTED);
  });
});

describe('an import of nothing but wrong rows', () => {
  it.each([
    ['without a number', 'phone\n', 'x\n'],
    ['with an unknown reason', 'phone,reason\n', '+14155550123,whim\n'],
  ])('%s takes little longer than finding their lines', async (_name, head, row) => {
    const table = head + row.repeat(40_000);
    const read = () => {
      for (const record of readTableRecords(table, { delimiter: ',', isOwnRecord: () => false })) void record;
    };
    const importAll = async () => {
      const result = await importSuppressions(readSuppressionTable(table, 'body'), OPTIONS, NOTHING_KNOWN);
      expect(result).toMatchObject({ valid: 0, invalid: 40_000 });
    };
    await importAll();
    expect(await leastProcessorTime(importAll)).toBeLessThan(12 * (await leastProcessorTime(read)));
  });
});

describe('a table of nothing but empty lines', () => {
  it.each(['\n', ' \n', ',,\n'])('such as %j yields to the event loop', async (empty) => {
    let turns = 0;
    let isRead = false;
    const others = (async () => {
      for (; !isRead; turns += 1) await nextTurn();
    })();
    const table = `phone\n+14155550123\n${empty.repeat(20_000)}`;
    for await (const rows of readSuppressionTable(table, 'body')) expect(rows.length).toBeLessThan(2);
    isRead = true;
    await others;
    expect(turns).toBeGreaterThan(30);
  });
});

/** Microseconds of this process, in the best of some rounds. */
async function leastProcessorTime(work: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    rounds.push(user + system);
  }
  return Math.min(...rounds);
}
