import { DateTime } from 'luxon';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { dayRange, minuteOf, timeRange } from './bounds.js';
import { readValue, withinLimits, apiTime, type ReadContext } from './value.js';

/** A value in the form of the API, or the problem with it: a predicate that the model reads, such as "is no number". */
export type ModelValue = { value: string } | { problem: string };

/**
 * Reads a value that a language model saves with the tool of a talk step (`CollectedAnswers`). The model may write it
 * in the form of the API (`2026-12-31`) or in the caller's words ("next Tuesday"). Limits apply as to a caller's
 * answer.
 */
export function readModelValue(
  text: string,
  expectation: PlaybookExpectation,
  readContext: ReadContext,
): ModelValue {
  const value =
    readApiForm(text.trim(), expectation, readContext) ?? readValue(text, expectation, readContext);
  if (value === NOT_POSSIBLE) return { problem: `is outside its limits${limitsOf(expectation)}` };
  return value === null ? { problem: PROBLEMS[expectation.kind] } : { value };
}

/** What is wrong with a value without meaning, by the kind of answer. */
const PROBLEMS: Readonly<Record<PlaybookExpectation['kind'], string>> = {
  yes_no: 'is neither yes nor no',
  choice: 'is none of the options',
  date: 'is no day such as 2026-12-31',
  time: 'is no time such as 15:30',
  number: 'is no number',
  phone_number: 'is no phone number',
  name: 'is no name of a person',
  anything: 'says nothing',
};

/** Reads a value in the form of the API; null for any other text. */
function readApiForm(
  text: string,
  expectation: PlaybookExpectation,
  { now }: ReadContext,
): string | typeof NOT_POSSIBLE | null {
  switch (expectation.kind) {
    case 'yes_no':
      return YES_NO.get(text.toLowerCase()) ?? null;
    case 'choice':
      return expectation.options.find(({ value }) => value === text.toLowerCase())?.value ?? null;
    case 'date': {
      const day = /^\d{4}-\d\d-\d\d$/.test(text) ? DateTime.fromISO(text, { zone: now.zone }) : null;
      if (!day?.isValid) return null;
      const { earliest, latest } = dayRange(expectation, now.startOf('day'));
      return (earliest && day < earliest) || (latest && day > latest) ? NOT_POSSIBLE : text;
    }
    case 'time': {
      if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)) return null;
      const { earliest, latest } = timeRange(expectation);
      const minute = minuteOf(text);
      return minute < earliest || minute > latest ? NOT_POSSIBLE : apiTime(minute);
    }
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? withinLimits(Number(text), expectation) : null;
    case 'phone_number':
      return readPhoneNumber(text);
    default:
      return null;
  }
}

const YES_NO: ReadonlyMap<string, string> = new Map([
  ['yes', 'yes'],
  ['true', 'yes'],
  ['no', 'no'],
  ['false', 'no'],
]);

/** The limits of a question in words, for the problem: " (from 1 to 4)". Empty without limits, except for a date. */
function limitsOf(expectation: PlaybookExpectation): string {
  const [from, to] =
    expectation.kind === 'number'
      ? [expectation.min, expectation.max]
      : expectation.kind === 'date' || expectation.kind === 'time'
        ? [expectation.earliest, expectation.latest]
        : [];
  const parts = [
    ...(from === null || from === undefined ? [] : [`from ${from}`]),
    ...(to === null || to === undefined ? [] : [`to ${to}`]),
  ];
  if (parts.length > 0) return ` (${parts.join(' ')})`;
  return expectation.kind === 'date' ? ' (today or later)' : '';
}
