import { DateTime } from 'luxon';
import { getCountryCallingCode, type CountryCode } from 'libphonenumber-js/max';
import type { Answerable } from '../../hearing.js';
import { readChoice } from '../choice.js';
import type { PlaybookExpectation } from '../playbook-expectation.js';
import { wordsOf } from '../words.js';
import { readYesNo } from '../yes-no.js';
import { dayRange, timeRange } from './bounds.js';
import { NOT_POSSIBLE } from './not-possible.js';
import { readDate } from './read-date.js';
import { readPhoneDigits } from './read-digits.js';
import { readKey } from './read-key.js';
import { readName } from './read-name.js';
import { readNumber } from './read-number.js';
import { readTime } from './read-time.js';

/** What is needed to read values: when and where the call is. */
export interface Surroundings {
  /** In the caller's zone. */
  now: DateTime;
  /** The country whose phone numbers are said as they are there. */
  region: CountryCode | undefined;
}

/** Reads the answer that a question hopes for; null when there is none. Values are as the API keeps them. */
export function readValue(
  text: string,
  expectation: PlaybookExpectation,
  { now, region }: Surroundings,
): string | typeof NOT_POSSIBLE | null {
  switch (expectation.kind) {
    case 'yes_no':
      return readYesNo(wordsOf(text), expectation) ?? readKey(text, ['yes', 'no']);
    case 'choice': {
      const values = expectation.options.map(({ value }) => value);
      return readChoice(wordsOf(text), expectation.options) ?? readKey(text, values);
    }
    case 'date': {
      const today = now.startOf('day');
      const day = readDate(text, today, dayRange(expectation, today));
      return day === NOT_POSSIBLE ? NOT_POSSIBLE : (day?.toISODate() ?? null);
    }
    case 'time': {
      const minute = readTime(text, { range: timeRange(expectation) });
      return typeof minute === 'number' ? writtenTime(minute) : minute;
    }
    case 'number':
      return withinLimits(readNumber(text), expectation);
    case 'phone_number':
      return readPhoneDigits(text, countryOf(expectation.region) ?? region);
    case 'name':
      return readName(text);
    case 'anything':
      return freeSpeech(text);
  }
}

function withinLimits(
  value: number | null,
  { min, max, whole }: Extract<PlaybookExpectation, { kind: 'number' }>,
): string | typeof NOT_POSSIBLE | null {
  if (value === null) return null;
  const isWithin = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  const isRight = whole === false || Number.isInteger(value);
  return isWithin && isRight ? String(value) : NOT_POSSIBLE;
}

/** A thank-you is no message. */
function freeSpeech(text: string): string | null {
  const words = wordsOf(text).join(' ');
  return words === '' || /^(?:thanks|thank you|ok thanks|okay thank you)$/.test(words) ? null : text.trim();
}

function writtenTime(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** Years are said where the day is not one of the next or the last months. */
const NEAR_DAYS = 300;

/** A value as the agent says it. */
export function sayValue(value: string, expectation: PlaybookExpectation, { now }: Surroundings): string {
  if (expectation.kind === 'date') return sayDay(DateTime.fromISO(value, { zone: now.zone }), now);
  if (expectation.kind === 'time') return sayTime(value);
  return expectation.kind === 'choice' ? value.replaceAll('_', ' ') : value;
}

/** "Tuesday, November 24th". */
export function sayDay(day: DateTime, now: DateTime): string {
  const date = day.setLocale('en-US');
  const isNear = Math.abs(day.diff(now, 'days').days) < NEAR_DAYS;
  const said = `${date.toFormat('cccc, LLLL d')}${ordinalEnding(day.day)}`;
  return isNear ? said : `${said}, ${day.year}`;
}

/** "3:30 PM", "noon". */
export function sayTime(written: string): string {
  if (written === '12:00') return 'noon';
  if (written === '00:00') return 'midnight';
  const [hour, minute] = written.split(':').map(Number) as [number, number];
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 || 12}${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
}

function ordinalEnding(day: number): string {
  if (day > 3 && day < 21) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

/** What a recogniser should listen for. `fill` fills the variables of likely names. */
export function toAnswerable(
  expectation: PlaybookExpectation,
  { region }: Surroundings,
  fill: (text: string) => string,
): Answerable {
  switch (expectation.kind) {
    case 'yes_no': {
      const phrases = [...(expectation.yes ?? []), ...(expectation.no ?? [])];
      return phrases.length > 0 ? { kind: 'yes_no', phrases } : { kind: 'yes_no' };
    }
    case 'number':
      return { kind: 'number', max: expectation.max ?? null, isWhole: expectation.whole !== false };
    case 'phone_number': {
      const country = countryOf(expectation.region) ?? region;
      const isNorthAmerican = country !== undefined && getCountryCallingCode(country) === '1';
      return { kind: 'phone_number', plan: isNorthAmerican ? 'north_american' : 'any' };
    }
    case 'name':
      return { kind: 'name', names: (expectation.likely ?? []).map(fill).filter((name) => name !== '') };
    case 'choice':
      return { kind: 'choice', options: expectation.options };
    default:
      return { kind: expectation.kind };
  }
}

// The checks of a saved playbook have seen to it that this is a country.
function countryOf(region: string | null | undefined): CountryCode | undefined {
  return region ? (region as CountryCode) : undefined;
}
