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
import { timeAfterSpan } from '#playbook/values/times/read-call-back-time.js';
import { applyDifference } from '#language/numbers/number-differences.js';
import { readPhoneDigits } from '#language/numbers/read-phone.js';
import { readDtmfKey } from './read-dtmf-key.js';
import { readName } from './read-name.js';
import { readNumber } from '#language/numbers/read-number.js';
import { readTime } from '#playbook/values/times/read-time.js';
import { unitOf } from '#language/numbers/two-part-numbers.js';
import { spokenWords } from '#language/spoken-words.js';
import { wordListLanguage, type WithCallLanguage } from './spoken-language.js';
import { readValueByLists, spokenValueByLists } from './values-by-lists.js';

/**
 * The context of an answer, on which its meaning depends: the time and place of the call, its language, and the
 * question. Each utterance needs a new context, because `now` moves on.
 */
export interface ReadContext extends WithCallLanguage {
  /** The present time in the caller's zone. */
  now: DateTime;
  /** The country for phone numbers said without a country code. */
  region: CountryCode | undefined;
  /**
   * The earlier answer that the caller changes, in the form of the API: "the sixth" is in its month, "an hour later" is
   * counted from it.
   */
  changing?: string | null;
  /** The text of the question: "no problem" is a no to "Did you have any trouble?". */
  asked?: string | null;
  /** The names of the callee, separated by blanks: "I'm not Ada" is no answer to "Will you come?". */
  callee?: string | null;
}

/**
 * Reads the answer to a question of a playbook, by the kind of answer that it expects.
 * @returns the answer in the form of the API (`yes`, `2026-12-31`, `15:30`, E.164 …); {@link NOT_POSSIBLE} if it is
 *   outside the limits of the question; null if the text contains no answer
 */
export function readValue(
  text: string,
  expectation: PlaybookExpectation,
  readContext: ReadContext,
): string | typeof NOT_POSSIBLE | null {
  const lists = wordListLanguage(readContext);
  if (lists !== null) return readValueByLists(lists, text, expectation, readContext);
  const { region, asked, callee } = readContext;
  switch (expectation.kind) {
    case 'yes_no':
      return readYesNo(wordsOf(text), expectation, asked, callee) ?? readDtmfKey(text, ['yes', 'no']);
    case 'choice': {
      const values = expectation.options.map(({ value }) => value);
      return readChoice(wordsOf(text), expectation.options) ?? readDtmfKey(text, values);
    }
    case 'date':
      return dayIn(text, expectation, readContext);
    case 'time':
      return timeIn(text, expectation, readContext);
    case 'number':
      return numberIn(text, expectation, readContext);
    case 'phone_number':
      return readPhoneDigits(text, countryOf(expectation.region) ?? region);
    case 'name':
      return readName(text);
    case 'anything':
      return readFreeSpeech(text);
  }
}

/** Countries that write the month before the day; it is also assumed if the country is unknown. */
const MONTH_FIRST: ReadonlySet<CountryCode | undefined> = new Set([undefined, 'US', 'CA', 'PH']);

/** The day in a text, in the form of the API. */
function dayIn(
  text: string,
  expectation: Extract<PlaybookExpectation, { kind: 'date' }>,
  { now, region, changing, asked }: ReadContext,
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

/** The time of day in a text; a span ("in half an hour") means the time after it, which has to be today. */
function timeIn(
  text: string,
  expectation: Extract<PlaybookExpectation, { kind: 'time' }>,
  { now, changing, asked }: ReadContext,
): string | typeof NOT_POSSIBLE | null {
  const range = timeRange(expectation);
  const afterSpan = timeAfterSpan(spokenWords(text), now);
  if (afterSpan) {
    const minute = afterSpan.hour * 60 + afterSpan.minute;
    const isToday = afterSpan.hasSame(now, 'day') && minute >= range.earliest && minute <= range.latest;
    return isToday ? apiTime(minute) : NOT_POSSIBLE;
  }
  const minute = readTime(text, { range, asked, near: changing ? minuteOf(changing) : null });
  return typeof minute === 'number' ? apiTime(minute) : minute;
}

/** The number in a text; else a change of an earlier number ("one more"), or "just me". */
function numberIn(
  text: string,
  expectation: Extract<PlaybookExpectation, { kind: 'number' }>,
  { asked, changing }: ReadContext,
): string | typeof NOT_POSSIBLE | null {
  const value = readNumber(text, {
    min: expectation.min ?? -Infinity,
    max: expectation.max ?? Infinity,
    isWhole: expectation.whole !== false,
    unit: unitOf(asked),
    asked,
  });
  const earlier = Number(changing ?? NaN);
  const changed =
    value === null && Number.isFinite(earlier) ? applyDifference(spokenWords(text), earlier) : null;
  return withinLimits(value ?? changed ?? oneIfAlone(text, expectation), expectation);
}

/**
 * "Just me" is 1 at a question whose smallest number is at least 1: it counts the caller, too. Other questions may
 * count guests only, so there "just me" is no answer (null).
 */
function oneIfAlone(text: string, { min }: Extract<PlaybookExpectation, { kind: 'number' }>): number | null {
  const isAlone = /\b(?:just|only) (?:me|myself)(?! and\b)\b/.test(wordsOf(text).join(' '));
  return isAlone && (min ?? 0) >= 1 ? 1 : null;
}

/** A number in the form of the API; {@link NOT_POSSIBLE} outside the limits; null stays null. */
export function withinLimits(
  value: number | null,
  { min, max, whole }: Extract<PlaybookExpectation, { kind: 'number' }>,
): string | typeof NOT_POSSIBLE | null {
  if (value === null) return null;
  const isWithin = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  const isRight = whole === false || Number.isInteger(value);
  return isWithin && isRight ? String(value) : NOT_POSSIBLE;
}

/** A message in free speech, with its punctuation; null for thanks alone. */
function readFreeSpeech(text: string): string | null {
  const words = wordsOf(text).join(' ');
  return words === '' ||
    /^(?:(?:ok|okay|all right|alright|right|great|good) )*(?:thanks|thank you)(?: very much| so much)?$/.test(
      words,
    )
    ? null
    : text.trim();
}

/** A minute of the day in the form of the API: `15:30`. */
export function apiTime(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** The year is spoken for days that are further away than this. */
const NEAR_DAYS = 300;

/** An answer in spoken form, for texts of the agent: "Tuesday, November 24th" for `2026-11-24`. */
export function spokenValue(
  value: string,
  expectation: PlaybookExpectation,
  readContext: ReadContext,
): string {
  const { now, language } = readContext;
  if (language && wordListLanguage(readContext) !== null)
    return spokenValueByLists(language.tag, value, expectation.kind, now);
  if (expectation.kind === 'date') return spokenDay(DateTime.fromISO(value, { zone: now.zone }), now);
  if (expectation.kind === 'time') return spokenTime(value);
  return expectation.kind === 'choice' ? value.replaceAll('_', ' ') : value;
}

/** A day in spoken English: "Tuesday, November 24th". */
export function spokenDay(day: DateTime, now: DateTime): string {
  const date = day.setLocale('en-US');
  const isNear = Math.abs(day.diff(now, 'days').days) < NEAR_DAYS;
  const said = `${date.toFormat('cccc, LLLL d')}${ordinalEnding(day.day)}`;
  return isNear ? said : `${said}, ${day.year}`;
}

/**
 * A time in spoken English: "3:30 PM", "noon".
 * @param written `HH:MM`
 */
export function spokenTime(written: string): string {
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

/**
 * The expected answer as hints for speech recognition.
 * @param fill replaces the variables in the likely names of a question
 */
export function answerHints(
  expectation: PlaybookExpectation,
  { region }: ReadContext,
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

/** The country of a question. The schema of playbooks accepts supported countries only. */
function countryOf(region: string | null | undefined): CountryCode | undefined {
  return region ? (region as CountryCode) : undefined;
}
