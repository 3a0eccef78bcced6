import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_NESTING, flawsOf, isTooDeep, mayHaveFlaws } from '#kernel/input/json-scan.js';

describe('the scan of a JSON text', () => {
  it('suspects every flawed text', () => {
    const awkwardText = fc.string({
      unit: fc.constantFrom('a', '\\', '"', 'u0000', '\u0000', 'ud800', '\ud800', '\udc00', '1e999'),
    });
    const value = fc.array(fc.dictionary(awkwardText, awkwardText), { maxLength: 3 });
    fc.assert(
      fc.property(value, (data) => {
        if (flawsOf(data).length > 0) expect(mayHaveFlaws(JSON.stringify(data))).toBe(true);
      }),
    );
  });

  it.each(['1e400', '-1.5E+400', '[10,2e309]', '9'.repeat(310), `{"a":-${'2'.repeat(309)}.5}`])(
    'suspects a number that may be beyond all: %.20s',
    (text) => {
      expect(mayHaveFlaws(text)).toBe(true);
      expect(flawsOf(JSON.parse(text), text)).toHaveLength(1);
    },
  );

  it.each(['[true,false,null,1.5,-0]', '[123456789012345]', '"\\\\d800"', '"é😀"'])(
    'suspects nothing in %s',
    (text) => expect(mayHaveFlaws(text)).toBe(false),
  );

  it.each([
    ['{"a":[1,12345678901234567890]}', 'a.1'],
    ['{"a":{"b":-9007199254740993}}', 'a.b'],
    ['9007199254740993', ''],
    ['{"a":1152921504606846976 ,"b":2}', 'a'],
    ['{"a\\\\":"\\"","b":9007199254740993}', 'b'],
  ])('finds the inexact whole number in %s', (text, path) => {
    expect(mayHaveFlaws(text)).toBe(true);
    expect(flawsOf(JSON.parse(text), text).map((flaw) => [flaw.path.join('.'), flaw.code])).toEqual([
      [path, 'too_big'],
    ]);
  });

  it.each([
    '[9007199254740991,-9007199254740992,1152921504606847000,100000000000000000000]',
    '[0.30000000000000004,1234567890.12345678901234567890,1.7976931348623157e+308,-12345678901234567e-3]',
    '{"12345678901234567890":"12345678901234567890"}',
    '{"id":"9007199254740993","exact":9007199254740992}',
    '{"9007199254740993":1,"said":"\\\\\\"9007199254740993","exact":9007199254740992}',
  ])('finds no flaw in exact numbers and valid texts: %s', (text) => {
    expect(flawsOf(JSON.parse(text), text)).toEqual([]);
  });

  it('finds no flaw in whole characters, escaped or not', () => {
    expect(flawsOf(JSON.parse('["\\ud83d\\ude00", 1e3, "\\u00e9"]'))).toEqual([]);
  });
});

describe('a parsed JSON value', () => {
  it('is too deep where its text is', () => {
    for (const depth of [0, 1, MAX_NESTING, MAX_NESTING + 1, 20_000]) {
      const text = `${'['.repeat(depth)}${depth === 0 ? '1' : ''}${']'.repeat(depth)}`;
      expect(isTooDeep(JSON.parse(text))).toBe(depth > MAX_NESTING);
    }
  });

  it('lists up to a hundred flaws with their paths', () => {
    const places = (value: unknown) => flawsOf(value).map(({ path, message }) => [path.join('.'), message]);
    expect(places({ a: 'b', c: [1, null] })).toEqual([]);
    const noNul = 'must not contain the character U+0000';
    const noHalf = 'must not contain half of a surrogate pair';
    const bad = { a: 'x\0', b: [{ c: '\udc00' }, { 'd\0': '\0' }, { '\ud800': 1 }], e: [5, -Infinity] };
    expect(places(bad)).toEqual([
      ['a', noNul],
      ['b.0.c', noHalf],
      ['b.1', noNul],
      ['b.2', noHalf],
      ['e.1', 'is beyond the largest number'],
    ]);
    expect(flawsOf('\udc00\ud800')).toHaveLength(1);
    expect(flawsOf(Array.from({ length: 200 }, () => '\0'))).toHaveLength(100);
  });
});
