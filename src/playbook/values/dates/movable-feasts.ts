import type { DateTime } from 'luxon';

/** Feasts by their distance in days from Easter Sunday. */
const AFTER_EASTER: readonly (readonly [string, number])[] = [
  ['shrove tuesday', -47],
  ['ash wednesday', -46],
  ['palm sunday', -7],
  ['maundy thursday', -3],
  ['good friday', -2],
  ['easter saturday', -1],
  ['holy saturday', -1],
  ['easter monday', 1],
  ['easter sunday', 0],
  ['easter day', 0],
  ['easter', 0],
  ['ascension day', 39],
  ['whit sunday', 49],
  ['whit monday', 50],
  ['corpus christi', 60],
];
/** Thursday as a weekday of luxon: Thanksgiving of the United States is on the fourth Thursday of November. */
const THURSDAY = 4;

/** A feast whose date depends on the year. */
export interface MovableFeast {
  /** The words of its name. */
  phrase: readonly string[];
  /** The date of the feast in the year of `day`, at the same time of day. */
  inYearOf(day: DateTime): DateTime;
}

/**
 * Feasts without a fixed date, for `byHoliday`, which takes the first that matches: so "easter monday" comes before
 * "easter".
 */
export const MOVABLE_FEASTS: readonly MovableFeast[] = [
  ...AFTER_EASTER.map(([name, days]) => ({
    phrase: name.split(' '),
    inYearOf: (day: DateTime) => easterSunday(day).plus({ days }),
  })),
  ...['thanksgiving day', 'thanksgiving'].map((name) => ({
    phrase: name.split(' '),
    inYearOf: thanksgiving,
  })),
];

/**
 * Easter Sunday in the year of `day`, by the Gregorian computus of Meeus, Jones and Butcher: from the first full moon
 * of spring (`epact`) to the Sunday after it (`toSunday`), except in a few years (`late`).
 */
function easterSunday(day: DateTime): DateTime {
  const { year } = day;
  const [golden, century, ofCentury] = [year % 19, Math.floor(year / 100), year % 100];
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  // 31 times the month, plus the day less one, by the calendar: 22 March gives 114.
  const daysFromMarch = epact + toSunday - 7 * late + 114;
  return day.set({ month: Math.floor(daysFromMarch / 31), day: (daysFromMarch % 31) + 1 });
}

/** The fourth Thursday of November in the year of `day`. */
function thanksgiving(day: DateTime): DateTime {
  const first = day.set({ month: 11, day: 1 });
  return first.plus({ days: ((THURSDAY - first.weekday + 7) % 7) + 21 });
}
