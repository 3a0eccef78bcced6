import type { CountryCode } from 'libphonenumber-js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';

/** What a path may name a thing by that belongs to a phone number: its id, or the number (E.164; null: it is none). */
export interface IdOrNumber {
  workspace: string;
  id: string;
  phoneNumber: string | null;
}

export function idOrNumber(workspace: string, named: string, region: CountryCode | undefined): IdOrNumber {
  return { workspace, id: named, phoneNumber: readPhoneNumber(named, region) };
}
