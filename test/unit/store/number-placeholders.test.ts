import fc from 'fast-check';
import { expect, it } from 'vitest';
import { numberPlaceholders } from '#store/postgres/transaction.js';

it.each([
  ['select 1', 'select 1'],
  ['insert into t (a, b) values (?, ?)', 'insert into t (a, b) values ($1, $2)'],
  [
    "select '?', ? from t where a = 'it''s ?' and b = ?",
    "select '?', $1 from t where a = 'it''s ?' and b = $2",
  ],
  ['select "odd?" from t -- why?\nwhere a = ?', 'select "odd?" from t -- why?\nwhere a = $1'],
])('numbers the placeholders of %s', (sql, expected) => {
  expect(numberPlaceholders(sql)).toBe(expected);
});

it('numbers every placeholder outside of quotes once, in order, and changes nothing else', () => {
  const piece = fc.constantFrom('?', 'a', ' = ', ', ', "'x ? y'", "''", '"q?"', '(', ')', '\n', '-- c ?\n');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      let count = 0;
      const expected = pieces.map((text) => (text === '?' ? `$${(count += 1)}` : text)).join(' ');
      expect(numberPlaceholders(pieces.join(' '))).toBe(expected);
    }),
  );
});
