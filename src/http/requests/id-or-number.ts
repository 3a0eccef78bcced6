import type { CountryCode } from 'libphonenumber-js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';

/** A path parameter that is an id or a phone number (E.164; null if it is no number). */
export interface IdOrNumber {
  workspace: string;
  id: string;
  phoneNumber: string | null;
}

export function idOrNumber(workspace: string, named: string, region: CountryCode | undefined): IdOrNumber {
  return { workspace, id: named, phoneNumber: readPhoneNumber(named, region) };
}
