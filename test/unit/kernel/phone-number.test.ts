import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPhoneNumber } from '#kernel/input/phone-number.js';

describe('a phone number in a request', () => {
  it.each([
    ['+14155550123', '+14155550123'],
    ['14155550123', '+14155550123'],
    ['0014155550123', '+14155550123'],
    ['+1 (415) 555-01.23', '+14155550123'],
    // The zero is for those who call from within the country, but in Italy for everybody.
    ['+44 (0)20 7946 0000', '+442079460000'],
    ['0044 (0) 20 7946 0000', '+442079460000'],
    ['49 (0)1511 2345678', '+4915112345678'],
    ['+39 (0)6 1234 5678', '+390612345678'],
    // What word processors make of a hyphen, and the marks that come along with numbers copied out of address books.
    ['+1\u2011415\u2013555\u22120123', '+14155550123'],
    ['\u202a+14155550123\u202c', '+14155550123'],
    ['\u200e+44 (0)20\u00a07946\u200b0000\ufeff', '+442079460000'],
    // Numbers that documentation uses and numbering plans refuse.
    ['+15551234567', '+15551234567'],
    ['+1234567890', '+1234567890'],
  ])('%s is %s', (text, number) => {
    expect(readPhoneNumber(text)).toBe(number);
  });

  it.each([
    '',
    '12ab',
    '+',
    '+0123456789',
    '+123456',
    '+1234567890123456',
    '++14155550123',
    '+49 (0)',
    '+1415555O123',
    '٠١٢٣٤٥٦٧٨٩',
    // Two numbers, as some write them.
    '+49 30 901820/21',
  ])('%j is none', (text) => {
    expect(readPhoneNumber(text)).toBeNull();
  });

  it('adds the calling code to national numbers only', () => {
    expect(readPhoneNumber('030 1234567', 'DE')).toBe('+49301234567');
    expect(readPhoneNumber('+14155550123', 'DE')).toBe('+14155550123');
    expect(readPhoneNumber('0014155550123', 'DE')).toBe('+14155550123');
    expect(readPhoneNumber('011 49 30 1234567', 'US')).toBe('+49301234567');
    expect(readPhoneNumber('(0)30 1234567', 'DE')).toBe('+49301234567');
  });

  it.each([
    '212555010a',
    'abc2125550100',
    '2125550100x5',
    '2125550100 ext. 5',
    '2125550100#5',
    'tel:2125550100',
    '2125550100;ext=5',
    '/2125550100',
    '٢١٢٥٥٥٠١٠٠',
    '12345',
  ])('%j is none with a region either: a number inside other text is refused', (text) => {
    expect(readPhoneNumber(text, 'US')).toBeNull();
  });

  it('is idempotent, and returns nothing but E.164', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789+-. ()x'), maxLength: 30 }), (text) => {
        const number = readPhoneNumber(text);
        if (number === null) return;
        expect(number).toMatch(/^\+[1-9]\d{6,14}$/);
        expect(readPhoneNumber(number)).toBe(number);
      }),
    );
  });
});
