import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '#kernel/errors/errors.js';
import { decodeCursor, encodeCursor, toPage } from '#store/page.js';

const id = fc
  .tuple(
    fc.constantFrom('call', 'agent', 'key'),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'), minLength: 26, maxLength: 26 }),
  )
  .map(([prefix, rest]) => `${prefix}_${rest}`);

describe('cursors', () => {
  it('decode to what was encoded', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9_999_999_999_999 }), id, (createdAt, someId) => {
        expect(decodeCursor(encodeCursor({ createdAt, id: someId }))).toEqual({ createdAt, id: someId });
      }),
    );
  });

  it('are refused with the name of the field when the service did not make them', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let thrown: unknown;
        try {
          decodeCursor(text);
        } catch (error) {
          thrown = error;
        }
        expect(thrown).toBeInstanceOf(Problem);
        expect(thrown).toMatchObject({ code: 'invalid_cursor', details: [{ field: 'query.cursor' }] });
      }),
    );
  });
});

describe('pages', () => {
  const cursorOf = (n: number) => ({ createdAt: n, id: `row_${n}` });

  it('have a next cursor when one row more than the limit was found', () => {
    expect(toPage([5, 4, 3], 2, cursorOf)).toEqual({ items: [5, 4], next: { createdAt: 4, id: 'row_4' } });
    expect(toPage([5, 4], 2, cursorOf)).toEqual({ items: [5, 4], next: null });
    expect(toPage([], 2, cursorOf)).toEqual({ items: [], next: null });
  });
});
