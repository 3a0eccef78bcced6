import type { SpokenRule } from './spoken-rule.js';

/** Days of the week by their short forms. */
const DAYS: Readonly<Record<string, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|rs?|day|sday|nesday|rsday|urday)?';
const DASH = String.raw`\s?[-–—]\s?`;
const SIGN = '[€£¥₹$]';
/** In an ISO date and time, a dash after the time begins the offset. */
const CLOCK = String.raw`(?<![\d:T]|\d{4}-\d\d-\d\d )\d{1,2}:[0-5]\d`;

/** Ranges, whose dash is read as "to". The synthesiser reads "10-20" correctly, but not "9-5". */
export const SPAN_RULES: readonly SpokenRule[] = [
  {
    written: new RegExp(String.raw`\b(${DAY})\b\.?${DASH}(?=${DAY}\b)`, 'g'),
    said: (_all, day) => `${dayNamed(day)} to `,
  },
  // "Tues at 3", "Mon 5 May"; alone, "Sun" and "Sat" are words.
  {
    written: new RegExp(String.raw`\b(Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?(?=,?\s(?:at\s)?\d)`, 'g'),
    said: (_all, day) => dayNamed(day),
  },
  { written: new RegExp(String.raw`(?<= to )(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b`, 'g'), said: dayNamed },
  {
    written: new RegExp(
      String.raw`(${CLOCK}|\d\s?[ap]\.?m\b\.?|\d\s?[%€£¥]|${SIGN}\s?\d[\d.,]*)${DASH}(?=${SIGN}?\s?\d)`,
      'gi',
    ),
    said: '$1 to ',
  },
  {
    written: /(?<![\w/.,:+#-])(1[0-2]|[1-9])-(?=(?:1[0-2]|[1-9])(?![\w/-]|[.,:]\d))/g,
    said: '$1 to ',
  },
  { written: /(\d)\s*[–—]\s*(?=\d)/g, said: '$1 to ' },
];

function dayNamed(written: string): string {
  return DAYS[written.slice(0, 3).toLowerCase()]!;
}
