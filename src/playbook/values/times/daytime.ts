import type { Place } from '#language/ruled-out.js';

/** A part of the day, which decides between three in the morning and three in the afternoon. */
export type Daytime = 'morning' | 'later' | 'night';

const DAYTIMES: ReadonlyMap<string, Daytime> = new Map([
  ['morning', 'morning'],
  ['afternoon', 'later'],
  ['evening', 'later'],
  ['pm', 'later'],
  ['night', 'night'],
  ['tonight', 'night'],
]);
const HALF_DAY = 12 * 60;
/** "At night" is before midnight for hours from this minute on, and after it for earlier ones. */
const NIGHT_BEGINS = 6 * 60;

/** The part of the day of a time: named directly after it, else before it, else the only one in the utterance. */
export function daytimeOf(
  words: readonly string[],
  { start, end }: Place,
  before: number,
  behind: number,
): Daytime | null {
  return (
    named(words, end, Math.min(behind, end + 4))[0] ??
    named(words, before, start).at(-1) ??
    only(named(words, 0, words.length))
  );
}

function only(daytimes: readonly Daytime[]): Daytime | null {
  return daytimes.length > 0 && daytimes.every((one) => one === daytimes[0]) ? daytimes[0]! : null;
}

/** The parts of the day that are named, without greetings and "not in the morning". */
function named(words: readonly string[], from: number, to: number): Daytime[] {
  return words.slice(from, to).flatMap((word, offset) => {
    const daytime = DAYTIMES.get(word);
    const before = words.slice(Math.max(0, from + offset - 3), from + offset).join(' ');
    const isNone =
      daytime === undefined || /\bgood$/.test(before) || /\bnot(?: in| the| in the)?$/.test(before);
    return isNone ? [] : [daytime];
  });
}

/** The minutes of the day that a time on the 12-hour clock may mean. */
export function minutesMeant(minute: number, daytime: Daytime | null): number[] {
  const early = minute % HALF_DAY;
  if (daytime === null) return [early, early + HALF_DAY];
  if (daytime === 'morning') return [early];
  return daytime === 'night' && early < NIGHT_BEGINS ? [early] : [early + HALF_DAY];
}
