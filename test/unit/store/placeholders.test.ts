import { describe, expect, it } from 'vitest';
import { textsByRows } from '#store/statements/placeholders.js';

describe('statements of many rows', () => {
  it('have a group of placeholders for each row, and one text for each number of rows', () => {
    const insert = textsByRows((rows) => `insert into pets (id, name) values ${rows}`, 2);
    expect([2, 1, 2].map((rowCount) => insert(rowCount))).toEqual([
      'insert into pets (id, name) values (?, ?), (?, ?)',
      'insert into pets (id, name) values (?, ?)',
      'insert into pets (id, name) values (?, ?), (?, ?)',
    ]);
  });
});
