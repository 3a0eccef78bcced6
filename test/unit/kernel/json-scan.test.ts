import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEEPEST_NESTING, isTooDeep, pathsOfNul, scanJson } from '../../../src/kernel/json-scan.js';

describe('the scan of a JSON text', () => {
  it('measures how deep it is nested, brackets in strings aside', () => {
    expect(scanJson('1').depth).toBe(0);
    expect(scanJson('{"a":[{"b":"[[[{{{"}]}').depth).toBe(3);
    expect(scanJson('["\\"]]", "\\\\"]').depth).toBe(1);
    expect(scanJson('['.repeat(1_000_000)).depth).toBe(1_000_000);
  });

  it('finds U+0000 exactly where JSON has it', () => {
    const awkwardText = fc.string({ unit: fc.constantFrom('a', '\\', '"', 'u0000', '\u0000') });
    const value = fc.array(fc.dictionary(awkwardText, awkwardText), { maxLength: 3 });
    fc.assert(
      fc.property(value, (data) => {
        expect(scanJson(JSON.stringify(data)).hasNul).toBe(containsNul(data));
      }),
    );
  });
});

describe('what a JSON text meant', () => {
  it('is too deep where its text is', () => {
    for (const depth of [0, 1, DEEPEST_NESTING, DEEPEST_NESTING + 1, 20_000]) {
      const text = `${'['.repeat(depth)}${depth === 0 ? '1' : ''}${']'.repeat(depth)}`;
      expect(scanJson(text).depth).toBe(depth);
      expect(isTooDeep(JSON.parse(text))).toBe(depth > DEEPEST_NESTING);
    }
  });

  it('says where U+0000 is: a hundred places at most', () => {
    expect(pathsOfNul({ a: 'b', c: [1, null] })).toEqual([]);
    expect(pathsOfNul({ a: 'x\0', b: [{ c: '\0' }, { 'd\0': '\0' }], e: 5 })).toEqual([
      ['a'],
      ['b', 0, 'c'],
      ['b', 1],
    ]);
    expect(pathsOfNul(Array.from({ length: 200 }, () => '\0'))).toHaveLength(100);
  });
});

function containsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\u0000');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => containsNul(key) || containsNul(item));
}
