import { DateTime } from 'luxon';
import { getCountryCallingCode, type CountryCode } from 'libphonenumber-js/max';
import type { Answerable } from '#speech/stt.js';
import { readChoice } from '#playbook/answers/choice.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { wordsOf } from '#language/words.js';
import { readYesNo } from '#playbook/answers/yes-no.js';
import { dayRange, minuteOf, timeRange } from './bounds.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readDate } from '#playbook/values/dates/read-date.js';
import { inAWhile } from '#playbook/values/times/read-moment.js';
import { changedBy } from '#language/numbers/more-or-fewer.js';
import { readPhoneDigits } from '#language/numbers/read-phone.js';
import { readKey } from './read-key.js';
import { readName } from './read-name.js';
import { readNumber } from '#language/numbers/read-number.js';
import { readTime } from '#playbook/values/times/read-time.js';
import { unitOf } from '#language/numbers/two-part-numbers.js';
import { spokenWords } from '#language/spoken-words.js';
import { listsOf, type Spoken } from './spoken-language.js';
import { readValueByLists, sayValueByLists } from './values-by-lists.js';

/** When and where a call takes place: what reading values depends on. */
export interface Surroundings extends Spoken {
  /** The present time in the caller's zone. */
  now: DateTime;
  /** The country for phone numbers said without a country code. */
  region: CountryCode | undefined;
  /**
   * The value that is being changed, in the form of the API: "the sixth" is in its month, "an hour later" follows it.
   */
  changing?: string | null;
  /** The text of the question: "no problem" is a no to "Did you have any trouble?". */
  asked?: string | null;
  /** The name of the callee: "I'm not Ada" is no answer to "Will you come?". */
  called?: string | null;
}

/** Reads the answer to a question, in the form of the API; null if there is none. */
export function readValue(
  text: string,
  expectation: PlaybookExpectation,
  surroundings: Surroundings,
): string | typeof NOT_POSSIBLE | null {
  const lists = listsOf(surroundings);
  if (lists !== null) return readValueByLists(lists, text, expectation, surroundings);
  const { region, asked, called } = surroundings;
  switch (expectation.kind) {
    case 'yes_no':
      return readYesNo(wordsOf(text), expectation, asked, called) ?? readKey(text, ['yes', 'no']);
    case 'choice': {
      const values = expectation.options.map(({ value }) => value);
      return readChoice(wordsOf(text), expectation.options) ?? readKey(text, values);
    }
    case 'date':
      return dayIn(text, expectation, surroundings);
    case 'time':
      return timeIn(text, expectation, surroundings);
    case 'number':
      return numberIn(text, expectation, surroundings);
    case 'phone_number':
      return readPhoneDigits(text, countryOf(expectation.region) ?? region);
    case 'name':
      return readName(text);
    case 'anything':
      return freeSpeech(text);
  }
}

/** Countries that write the month before the day. */
const MONTH_FIRST: ReadonlySet<CountryCode | undefined> = new Set([undefined, 'US', 'CA', 'PH']);

function dayIn(
  text: string,
  expectation: Extract<PlaybookExpectation, { kind: 'date' }>,
  { now, region, changing, asked }: Surroundings,
): string | typeof NOT_POSSIBLE | null {
  const today = now.startOf('day');
  const day = readDate(text, {
    today,
    range: dayRange(expectation, today),
    near: changing ? DateTime.fromISO(changing, { zone: now.zone }) : null,
    asked,
    order: MONTH_FIRST.has(region) ? 'month_first' : 'day_first',
  });
  return day === NOT_POSSIBLE ? NOT_POSSIBLE : (day?.toISODate() ?? null);
}

function timeIn(
  text: string,
  expectation: Extract<PlaybookExpectation, { kind: 'time' }>,
  { now, changing, asked }: Surroundings,
): string | typeof NOT_POSSIBLE | null {
  const range = timeRange(expectation);
  const later = inAWhile(spokenWords(text), now);
  if (later) {
    const minute = later.hour * 60 + later.minute;
    const isToday = later.hasSame(now, 'day') && minute >= range.earliest && minute <= range.latest;
    return isToday ? writtenTime(minute) : NOT_POSSIBLE;
  }
  const minute = readTime(text, { range, asked, near: changing ? minuteOf(changing) : null });
  return typeof minute === 'number' ? writtenTime(minute) : minute;
}

function numberIn(
  text: string,
  expectation: Extract<PlaybookExpectation, { kind: 'number' }>,
  { asked, changing }: Surroundings,
): string | typeof NOT_POSSIBLE | null {
  const value = readNumber(text, {
    min: expectation.min ?? -Infinity,
    max: expectation.max ?? Infinity,
    isWhole: expectation.whole !== false,
    unit: unitOf(asked),
    asked,
  });
  const from = Number(changing ?? NaN);
  const changed = value === null && Number.isFinite(from) ? changedBy(spokenWords(text), from) : null;
  return withinLimits(value ?? changed ?? alone(text, expectation), expectation);
}

/** "Just me" is one for a question that accepts at least one; as a number of guests it would be none. */
function alone(text: string, { min }: Extract<PlaybookExpectation, { kind: 'number' }>): number | null {
  const isAlone = /\b(?:just|only) (?:me|myself)(?! and\b)\b/.test(wordsOf(text).join(' '));
  return isAlone && (min ?? 0) >= 1 ? 1 : null;
}

/** A number in the form of the API; null stays null. */
export function withinLimits(
  value: number | null,
  { min, max, whole }: Extract<PlaybookExpectation, { kind: 'number' }>,
): string | typeof NOT_POSSIBLE | null {
  if (value === null) return null;
  const isWithin = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  const isRight = whole === false || Number.isInteger(value);
  return isWithin && isRight ? String(value) : NOT_POSSIBLE;
}

/** A message in free speech; thanks alone are none. */
function freeSpeech(text: string): string | null {
  const words = wordsOf(text).join(' ');
  return words === '' ||
    /^(?:(?:ok|okay|all right|alright|right|great|good) )*(?:thanks|thank you)(?: very much| so much)?$/.test(
      words,
    )
    ? null
    : text.trim();
}

/** A minute of the day in the form of the API: `15:30`. */
export function writtenTime(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** The year is spoken for days further away than this. */
const NEAR_DAYS = 300;

/** A value in spoken form. */
export function sayValue(
  value: string,
  expectation: PlaybookExpectation,
  surroundings: Surroundings,
): string {
  const { now, language } = surroundings;
  if (language && listsOf(surroundings) !== null)
    return sayValueByLists(language.tag, value, expectation.kind, now);
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

/** Hints for the recogniser. `fill` replaces the variables in likely names. */
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

// The checks of a saved playbook guarantee a country code.
function countryOf(region: string | null | undefined): CountryCode | undefined {
  return region ? (region as CountryCode) : undefined;
}
