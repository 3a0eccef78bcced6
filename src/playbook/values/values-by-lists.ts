import { DateTime, Info } from 'luxon';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readPhoneDigits } from '#language/numbers/read-phone.js';
import type { Language } from '#language/languages/language.js';
import { plainText, withoutAccents } from '#language/languages/plain-text.js';
import { matches } from '#language/phrasing.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { dayRange, timeRange } from './bounds.js';
import { readDtmfKey } from './read-dtmf-key.js';

/** Time and place of the call, on which days and phone numbers depend. */
interface ListReadContext {
  now: DateTime;
  /** The country of phone numbers without a country code. */
  region: Parameters<typeof readPhoneDigits>[1];
}

/** A value in the form of the API; {@link NOT_POSSIBLE} outside the question's limits; null without a value. */
type ReadValue = string | typeof NOT_POSSIBLE | null;

/** The most words of a name. */
const LONGEST_NAME_WORDS = 4;
/** The most words of an utterance in which a bare number is a time: "um drei". */
const LONGEST_BARE_TIME_WORDS = 3;

/**
 * Reads the answer to a question by the word lists of a language other than English; `readValue` calls it. Days, times
 * and numbers are read in figures, as recognisers print them, or in the plainest words. Other forms give null: the
 * agent asks again instead of guessing.
 */
export function readValueByLists(
  language: Language,
  text: string,
  expectation: PlaybookExpectation,
  context: ListReadContext,
): ReadValue {
  switch (expectation.kind) {
    case 'yes_no':
      return yesOrNo(language, text, expectation) ?? readDtmfKey(text, ['yes', 'no']);
    case 'choice': {
      const values = expectation.options.map(({ value }) => value);
      const said = expectation.options.filter(({ value, phrases }) =>
        containsOneOf(text, [value.replaceAll('_', ' '), ...phrases]),
      );
      return said.length === 1 ? said[0]!.value : readDtmfKey(text, values);
    }
    case 'date':
      return withinDays(readDay(language, text, context.now), expectation, context.now);
    case 'time':
      return withinTimes(readClock(language, text), expectation);
    case 'number':
      return withinNumbers(readFigure(language, text), expectation);
    case 'phone_number':
      return readPhoneDigits(withFigures(language, text).replace(/[^\d+]+/g, ' '), context.region);
    case 'name':
      return readCapitalisedName(language, text);
    case 'anything':
      // Fillers alone ("hm") are no message.
      return language.wordsBesideAnswer(text) === 0 && language.answerIn(text) === null ? null : text.trim();
  }
}

/**
 * True if one of the phrases occurs in a text as whole words, without regard to accents (`plainText` ends in a blank).
 */
export function containsOneOf(text: string, phrases: readonly string[]): boolean {
  const said = ` ${plainText(text)}`;
  return phrases.map(plainText).some((phrase) => phrase !== '' && said.includes(` ${phrase}`));
}

/** A yes or no: by the question's phrases, if those of only one answer occur; else by the word lists. */
function yesOrNo(
  language: Language,
  text: string,
  { yes, no }: Extract<PlaybookExpectation, { kind: 'yes_no' }>,
): 'yes' | 'no' | null {
  const answers = [containsOneOf(text, yes ?? []) && 'yes', containsOneOf(text, no ?? []) && 'no'].filter(
    Boolean,
  );
  if (answers.length === 1) return answers[0] as 'yes' | 'no';
  const answer = language.answerIn(text);
  return answer === 'unsure' ? null : answer;
}

/** A day by its name ("tomorrow", "Monday"), or by its date. */
function readDay(language: Language, text: string, now: DateTime): DateTime | null {
  const said = plainText(text);
  const today = now.startOf('day');
  const { today: todayWords, tomorrow, day_after_tomorrow: dayAfter } = language.phrasings('moments');
  // First, because its name may contain that of tomorrow: "pasado mañana".
  if (dayAfter && matches(dayAfter, said)) return today.plus({ days: 2 });
  // A date or weekday comes before "tomorrow", whose name may also mean morning: "lunes por la mañana".
  const dated = dayOfMonth(language, said, today) ?? dayInFigures(text, today);
  if (dated !== null) return dated;
  const weekday = weekdayIn(language, said);
  // The next such day, from tomorrow to a week from today.
  if (weekday !== null) return today.plus({ days: ((weekday - today.weekday + 6) % 7) + 1 });
  if (tomorrow && matches(tomorrow, said)) return today.plus({ days: 1 });
  return todayWords && matches(todayWords, said) ? today : null;
}

/**
 * The only weekday named, from 1 (Monday) to 7; null for none or several. The first word of its name is enough:
 * "segunda" of "segunda-feira".
 */
function weekdayIn({ code }: Language, said: string): number | null {
  const found = Info.weekdays('long', { locale: code })
    .map((name) => plainText(name).split(' ')[0]!)
    .flatMap((name, at) => (` ${said}`.includes(` ${name} `) ? [at + 1] : []));
  return found.length === 1 ? found[0]! : null;
}

/** A date with the name of its month ("15 de marzo", "15. März"): the next such day. */
function dayOfMonth({ code }: Language, said: string, today: DateTime): DateTime | null {
  const months = Info.months('long', { locale: code }).map((name) => plainText(name).trim());
  const written = new RegExp(String.raw`(?<!\S)(\d{1,2})(?:er|o|a)? (?:de |di )?(${months.join('|')}) `, 'u');
  const match = written.exec(said);
  return match && nextDay(today, Number(match[1]), months.indexOf(match[2]!) + 1, null);
}

/** A date in figures ("2026-03-15", "15.3.", "15/03/2026"): the day comes first unless the year does. */
function dayInFigures(text: string, today: DateTime): DateTime | null {
  const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(text);
  if (iso) return nextDay(today, Number(iso[3]), Number(iso[2]), Number(iso[1]));
  const short = /(?<![\d.:])(\d{1,2})[./](\d{1,2})(?:[./](\d{4})?)?(?!\d)/.exec(text);
  return short && nextDay(today, Number(short[1]), Number(short[2]), short[3] ? Number(short[3]) : null);
}

/** A date; without a year its next occurrence from today on. Null if there is no such date. */
function nextDay(today: DateTime, day: number, month: number, year: number | null): DateTime | null {
  const date = DateTime.fromObject({ year: year ?? today.year, month, day }, { zone: today.zone });
  if (!date.isValid) return null;
  return year === null && date < today ? date.plus({ years: 1 }) : date;
}

/** A time of day as a minute of the day: "14:30", "14 Uhr 30", "3 de la tarde", "um drei". */
function readClock(language: Language, text: string): number | null {
  const said = plainText(text);
  const { noon, midnight, afternoon, not_read: notRead, hour: hourMark } = language.phrasings('moments');
  // "Halb drei" and "Viertel nach drei" are not read: the agent asks again.
  if (notRead && matches(notRead, said)) return null;
  // A time with its minutes: "14:30", "14 Uhr 30".
  const written = /(?<![\d.:])(\d{1,2})(?:[:.h]| ?uhr ?)(\d{2})(?!\d)/i.exec(text);
  const isLater = afternoon !== null && matches(afternoon, said);
  if (written) return minuteOfDay(Number(written[1]), Number(written[2]), isLater);
  // An hour alone counts if the words mark it as a time, or if there are few other words.
  const isMarked = isLater || (hourMark !== null && matches(hourMark, said));
  const figures = [...withFigures(language, said).matchAll(/(?<!\S)\d{1,2}h?(?!\S)/g)];
  const isAlone = said.trimEnd().split(' ').length <= LONGEST_BARE_TIME_WORDS;
  if (figures.length === 0 && noon && matches(noon, said)) return 12 * 60;
  if (figures.length === 0 && midnight && matches(midnight, said)) return 0;
  if (figures.length !== 1 || !(isMarked || isAlone)) return null;
  return minuteOfDay(Number.parseInt(figures[0]![0], 10), 0, isLater);
}

/** The minute of the day; in the second half of the day if `isLater`. Null for impossible times. */
function minuteOfDay(hour: number, minute: number, isLater: boolean): number | null {
  const hourOfDay = isLater && hour < 12 ? hour + 12 : hour;
  return hourOfDay < 24 && minute < 60 ? hourOfDay * 60 + minute : null;
}

/** The only number in a text, in figures or as a word up to twelve; null for none or several. */
function readFigure(language: Language, text: string): number | null {
  const found = withFigures(language, text).match(/-?\d+(?:[.,]\d+)?/g) ?? [];
  return found.length === 1 ? Number(found[0].replace(',', '.')) : null;
}

/** Replaces the words for zero to twelve by figures. */
function withFigures({ file }: Language, text: string): string {
  let figures = withoutAccents(text);
  file.moments.numbers.forEach((names, value) => {
    const words = withoutAccents(names)
      .split('|')
      .map((name) => name.trim())
      .join('|');
    figures = figures.replace(
      new RegExp(String.raw`(?<![\p{L}\d])(?:${words})(?![\p{L}\d])`, 'giu'),
      `${value}`,
    );
  });
  return figures;
}

/**
 * A name: a text of one or two words, else its capitalised words ("ich heiße Anna Berg"). Null for a bare yes or no,
 * and if a longer text has no capitalised words or too many.
 */
function readCapitalisedName(language: Language, text: string): string | null {
  const words = text
    .replace(/[.,;:!?¿¡]+/g, ' ')
    .trim()
    .split(/\s+/);
  const named = words.filter((word) => /^\p{Lu}/u.test(word));
  const isYesOrNo = language.answerIn(text) !== null && language.wordsBesideAnswer(text) === 0;
  if (words[0] === '' || isYesOrNo) return null;
  if (words.length <= 2) return words.join(' ');
  // The first word of a sentence is capitalised in any case.
  const name = /^\p{Lu}/u.test(words[0]!) ? named.slice(1) : named;
  return name.length > 0 && name.length <= LONGEST_NAME_WORDS ? name.join(' ') : null;
}

/** A day in the form of the API, checked against the limits of the question. */
function withinDays(
  day: DateTime | null,
  expectation: Extract<PlaybookExpectation, { kind: 'date' }>,
  now: DateTime,
): ReadValue {
  if (day === null) return null;
  const { earliest, latest } = dayRange(expectation, now.startOf('day'));
  const isAccepted = (earliest === null || day >= earliest) && (latest === null || day <= latest);
  return isAccepted ? day.toISODate() : NOT_POSSIBLE;
}

/** A time in the form of the API, checked against the limits of the question. */
function withinTimes(
  minute: number | null,
  expectation: Extract<PlaybookExpectation, { kind: 'time' }>,
): ReadValue {
  if (minute === null) return null;
  const { earliest, latest } = timeRange(expectation);
  if (minute < earliest || minute > latest) return NOT_POSSIBLE;
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** A number in the form of the API, checked against the limits of the question. */
function withinNumbers(
  value: number | null,
  { min, max, whole }: Extract<PlaybookExpectation, { kind: 'number' }>,
): ReadValue {
  if (value === null) return null;
  const isAccepted = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  return isAccepted && (whole === false || Number.isInteger(value)) ? String(value) : NOT_POSSIBLE;
}

/**
 * Reads when the caller wants to be called: the named time on the named day, else at its next occurrence. Null
 * without a time of day. Rules read English (`readCallBackTime`).
 */
export function readCallBackTimeByLists(language: Language, text: string, now: DateTime): DateTime | null {
  const minute = readClock(language, text);
  const day = readDay(language, text, now);
  if (minute === null) return null;
  const at = (day ?? now).startOf('day').set({ hour: Math.floor(minute / 60), minute: minute % 60 });
  return day === null && at <= now ? at.plus({ days: 1 }) : at;
}

/** The year is spoken for days that are further away than this. */
const NEAR_DAYS = 300;

/** An answer in spoken form, for texts of the agent: "Dienstag, 24. November", "14:30". */
export function spokenValueByLists(
  tag: string,
  value: string,
  kind: PlaybookExpectation['kind'],
  now: DateTime,
): string {
  if (kind === 'date') return spokenDayByLists(tag, DateTime.fromISO(value, { zone: now.zone }), now);
  return kind === 'choice' ? value.replaceAll('_', ' ') : value;
}

/** A day in spoken form, with its year if it is far away. */
function spokenDayByLists(tag: string, day: DateTime, now: DateTime): string {
  const isNear = Math.abs(day.diff(now, 'days').days) < NEAR_DAYS;
  const form = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return day.setLocale(tag).toLocaleString(isNear ? form : { ...form, year: 'numeric' });
}

/** A date and time in spoken form: "Dienstag, 24. November, 14:30". */
export function spokenMomentByLists(tag: string, moment: DateTime, now: DateTime): string {
  const time = moment.setLocale(tag).toLocaleString({ hour: 'numeric', minute: '2-digit' });
  return `${spokenDayByLists(tag, moment, now)}, ${time}`;
}
