import fc from 'fast-check';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { E164 } from '#kernel/input/phone-number.js';
import { plannedNumber, type Planned } from '#policy/numbers/numbering-plan.js';
import { cases } from '#test/support/tier.js';

/** The result of the library. */
function oracle(number: string): Planned | null {
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  if (!parsed) return null;
  const { countryCallingCode, country = null, nationalNumber } = parsed;
  const isTooShort = nationalNumber.length < 7 && !parsed.isPossible();
  return { countryCallingCode, country, type: parsed.getType() ?? null, isTooShort };
}

const mobiles = getCountries().map((country) => getExampleNumber(country, examples)!.number);
const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((all) => all.join(''));

describe('the planned number', () => {
  it.each(mobiles)('%s', (number) => expect(plannedNumber(number)).toEqual(oracle(number)));

  it('equals the result of the library for 50,000 numbers in the form of some country', () => {
    const near = fc
      .tuple(fc.constantFrom(...mobiles), fc.nat({ max: 10 }), digits(0, 9))
      .map(([number, kept, rest]) => `${number.slice(0, 2 + kept)}${rest}`)
      .filter((number) => E164.test(number));

    fc.assert(
      fc.property(near, (number) => {
        expect(plannedNumber(number)).toEqual(oracle(number));
      }),
      { numRuns: cases(1_000, 15_000, 50_000) },
    );
  });

  it('equals the result of the library for 20,000 random numbers', () => {
    const any = fc.tuple(fc.integer({ min: 1, max: 9 }), digits(6, 14)).map((all) => `+${all.join('')}`);

    fc.assert(
      fc.property(any, (number) => {
        expect(plannedNumber(number)).toEqual(oracle(number));
      }),
      { numRuns: cases(500, 6_000, 20_000) },
    );
  });
});
