import { toString } from 'cronstrue';

/**
 * A valid cron expression in English words, such as `At 09:00, Monday through Friday`, for the API. The library
 * (cronstrue) needs capitals, single blanks and no leading zeros.
 */
export function describeCron(expression: string): string {
  const normalised = expression
    .trim()
    .toUpperCase()
    .replace(/[ \t]+/g, ' ')
    .replace(/\b0(?=\d)/g, '');
  return toString(normalised, { use24HourTimeFormat: true });
}
