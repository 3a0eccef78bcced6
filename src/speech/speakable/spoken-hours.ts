import type { SpokenRule } from './spoken-rule.js';

/**
 * Rules of `speakableText` for English times of day, as 12 hours with "A M" or "P M". The synthesiser reads "10:30"
 * well by itself.
 */
export const HOUR_RULES: readonly SpokenRule[] = [
  { written: /\b(?:00|24):00\b(?!:)/g, said: 'midnight' },
  // "00:15" is "12:15 A M", "15:30" is "3:30 P M".
  { written: /\b00:([0-5]\d)\b(?!:)/g, said: '12:$1 A M' },
  {
    written: /\b(1[3-9]|2[0-3]):([0-5]\d)\b/g,
    said: (_all, hour, minute) => `${Number(hour) - 12}:${minute} P M`,
  },
  // "9:00" is "9 o'clock", unless "am" or "pm" follows.
  { written: /\b0?(\d|1[0-2]):00\b(?!\s*[ap]\.?\s?m)/gi, said: "$1 o'clock" },
  // "07:45" is "7:45".
  { written: /\b0(\d):(?=[0-5]\d\b)/g, said: '$1:' },
  {
    written: /\b(\d{1,2})(:\d\d)?\s?([ap])\.?m\b\.?/gi,
    said: (_all, hour, minute, half) => sayTwelveHour(hour, minute, half),
  },
];

/** "3pm" is "3 P M", "10:30 a.m." is "10:30 A M". */
function sayTwelveHour(hour: string, minute: string | undefined, half: string): string {
  return `${hour}${minute && minute !== ':00' ? minute : ''} ${half.toUpperCase()} M`;
}
