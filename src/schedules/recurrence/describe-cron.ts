import { toString } from 'cronstrue';

/**
 * A cron expression in words, such as `At 09:00, Monday through Friday`. The library needs capitals, single blanks and
 * no leading zeros.
 */
export function describeCron(expression: string): string {
  const spelt = expression
    .trim()
    .toUpperCase()
    .replace(/[ \t]+/g, ' ')
    .replace(/\b0(?=\d)/g, '');
  return toString(spelt, { use24HourTimeFormat: true });
}
