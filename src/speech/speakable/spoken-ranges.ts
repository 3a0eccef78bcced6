import type { SpokenRule } from './spoken-rule.js';

/** Days of the week by their first three letters. */
const DAYS: Readonly<Record<string, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};
/** A name of a day, in full or short. The pattern also matches mixtures such as "Monsday", which are not written. */
const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|rs?|day|sday|nesday|rsday|urday)?';
const RANGE_DASH = String.raw`\s?[-–—]\s?`;
const SIGN = '[€£¥₹$]';
/** A time such as `9:30`, but not after an ISO date, where a dash begins the UTC offset (`2026-05-04T09:30-02:00`). */
const TIME_BEFORE_RANGE = String.raw`(?<![\d:T]|\d{4}-\d\d-\d\d )\d{1,2}:[0-5]\d`;

/**
 * Rules of `speakableText` for English ranges, whose dash is read as "to", and for short day names. The rules apply in
 * this order: the third rule works on the result of the first. The synthesiser itself reads "10-20" correctly, but not
 * "9-5".
 */
export const RANGE_RULES: readonly SpokenRule[] = [
  // "Mon-Fri": the first day and the dash.
  {
    written: new RegExp(String.raw`\b(${DAY_NAME})\b\.?${RANGE_DASH}(?=${DAY_NAME}\b)`, 'g'),
    said: (_all, day) => `${fullDayName(day)} to `,
  },
  // "Tues at 3", "Mon 5 May". Only before a number: "sun" and "sat" are also common words.
  {
    written: new RegExp(String.raw`\b(Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?(?=,?\s(?:at\s)?\d)`, 'g'),
    said: (_all, day) => fullDayName(day),
  },
  // The second day of a range whose dash was replaced.
  { written: new RegExp(String.raw`(?<= to )(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b`, 'g'), said: fullDayName },
  // Ranges of times, percentages and amounts: "9:30-11:00", "9am-5pm", "5%-10%", "$5-$10".
  {
    written: new RegExp(
      String.raw`(${TIME_BEFORE_RANGE}|\d\s?[ap]\.?m\b\.?|\d\s?[%€£¥]|${SIGN}\s?\d[\d.,]*)${RANGE_DASH}(?=${SIGN}?\s?\d)`,
      'gi',
    ),
    said: '$1 to ',
  },
  // Whole hours: "9-5". Not parts of dates, fractions, times or phone numbers.
  {
    written: /(?<![\w/.,:+#-])(1[0-2]|[1-9])-(?=(?:1[0-2]|[1-9])(?![\w/-]|[.,:]\d))/g,
    said: '$1 to ',
  },
  // Any numbers with an en dash or em dash, which only ranges have.
  { written: /(\d)\s*[–—]\s*(?=\d)/g, said: '$1 to ' },
];

function fullDayName(written: string): string {
  return DAYS[written.slice(0, 3).toLowerCase()]!;
}
