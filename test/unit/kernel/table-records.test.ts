import { describe, expect, it } from 'vitest';
import { readTableRecords } from '#kernel/input/table-records.js';

describe('the records of a table', () => {
  it('are parsed in linear time, whatever the quotes', () => {
    const lines = 2_000;
    let looks = 0;
    // Read from any of its lines, the quotes open and close up to the last one, which is never closed.
    const records = readTableRecords(`1,"x\n${'y","x\n'.repeat(lines)}`, {
      delimiter: ',',
      isOwnRecord: () => {
        looks += 1;
        return false;
      },
    });
    expect([...records]).toHaveLength(lines + 1);
    expect(looks).toBeLessThan(2 * lines);
  });

  it('begin again after the first line of a flawed record', () => {
    const table = '1,"a\nb","c\n2,d\n3,"e\nf"\n';
    const records = readTableRecords(table, { delimiter: ',', isOwnRecord: (line) => /^\d,/.test(line) });
    expect([...records].map(({ line, cells, flaw }) => ({ line, cells, isFlawed: flaw !== null }))).toEqual([
      { line: 1, cells: [], isFlawed: true },
      { line: 2, cells: ['b"'], isFlawed: true },
      { line: 3, cells: ['2', 'd'], isFlawed: false },
      { line: 5, cells: ['3', 'e\nf'], isFlawed: false },
    ]);
  });
});
