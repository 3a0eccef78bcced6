import type { CountryCode } from 'libphonenumber-js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';

/**
 * A path parameter that is an id or a phone number: as it was sent, and read as a number (E.164; null if it is not).
 */
export interface IdOrNumber {
  workspace: string;
  id: string;
  phoneNumber: string | null;
}

/**
 * Reads a path parameter that is an id or a phone number, for routes such as `GET /api/phone-numbers/{number_id}`.
 * @param region country of numbers without a country code
 */
export function idOrNumber(workspace: string, text: string, region: CountryCode | undefined): IdOrNumber {
  return { workspace, id: text, phoneNumber: readPhoneNumber(text, region) };
}
