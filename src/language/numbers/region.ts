import { isSupportedCountry, type CountryCode } from 'libphonenumber-js/max';

/**
 * The country of a language tag (`en-US` → `US`); undefined if the tag names none. It is the default country of phone
 * numbers that callers say without a country code.
 */
export function regionOf(language: string): CountryCode | undefined {
  const region = language
    .split('-')
    .find((part, index) => index > 0 && /^[A-Za-z]{2}$/.test(part))
    ?.toUpperCase();
  return region !== undefined && isSupportedCountry(region) ? region : undefined;
}
