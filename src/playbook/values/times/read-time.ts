import { asksUntilWhen, isToldBesides } from '#playbook/answers/told-besides.js';
import { otherNumberAt, timeAt, type SaidTime } from './clock-times.js';
import { daytimeOf, minutesMeant } from './daytime.js';
import { lastChange, meantOf, onlyOne, type Mention } from '#language/mentions.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { smallNumberAt } from '#language/numbers/number-words.js';
import { spokenWords } from '#language/spoken-words.js';

/** The first and last accepted minute of the day, inclusive. */
export interface TimeRange {
  earliest: number;
  latest: number;
}

export const WHOLE_DAY: TimeRange = { earliest: 0, latest: 24 * 60 - 1 };

/** Used if nothing else decides between morning and evening: waking hours. */
const USUAL_HOURS: TimeRange = { earliest: 7 * 60, latest: 19 * 60 - 1 };

const HALF_DAY = 12 * 60;

/**
 * The range that "no, in the morning" moves a time to. Three at night is called no morning: after three in the
 * afternoon the caller means another time and has to be asked which.
 */
const PARTS_OF_DAY: ReadonlyMap<string, TimeRange> = new Map([
  ['am', { earliest: 0, latest: HALF_DAY - 1 }],
  ['pm', { earliest: HALF_DAY, latest: WHOLE_DAY.latest }],
  ['morning', { earliest: 5 * 60, latest: HALF_DAY - 1 }],
  ['afternoon', { earliest: HALF_DAY, latest: 19 * 60 - 1 }],
  ['evening', { earliest: 16 * 60, latest: WHOLE_DAY.latest }],
  ['night', { earliest: 19 * 60, latest: WHOLE_DAY.latest }],
]);

export interface TimeReading {
  range?: TimeRange;
  /** Counts only clear times ("at three", "after three p.m."), not every number. */
  anchored?: boolean;
  /** Whether "after three" counts as three. Defaults to `anchored`. */
  openEnded?: boolean;
  /** The minute of the day that is being changed, for "an hour later" and "in the evening". */
  near?: number | null;
  /** The text of the question: "I get off at five" is no answer to "When shall we come?". */
  asked?: string | null | undefined;
}

interface SaidAt {
  said: SaidTime;
  start: number;
  end: number;
}

type TimeMention = Mention<string> & { minutes: readonly number[] };

/**
 * Reads a time of day.
 * @returns the minute of the day; {@link NOT_POSSIBLE} for a time outside the range; null if no time was named or it
 *   stays open which
 */
export function readTime(
  text: string,
  { range = WHOLE_DAY, anchored = false, openEnded = anchored, near = null, asked = null }: TimeReading = {},
): number | typeof NOT_POSSIBLE | null {
  // No clock shows 25:00.
  const words = spokenWords(text.replace(/\b(?:2[4-9]|[3-9]\d):\d\d\b/g, ' '));
  const mentions = timeMentions(words, anchored).filter(
    (mention, index, all) =>
      !isToldBesides(words, all, index, asked) &&
      !isSpan(words, mention) &&
      (openEnded || !isDeadline(words, mention, asked)),
  );
  const changed = near === null || mentions.length > 0 ? null : changedBy(words, near);
  if (changed !== null) return settled([changed], range, null);
  const meant = meantOf(words, mentions, onlyOne, { openEnded });
  return meant ? settled(meant.minutes, range, near) : null;
}

/** "In fifteen" is a span; "in the morning at nine" is a time of day. */
function isSpan(words: readonly string[], { start, end }: TimeMention): boolean {
  return words[start - 1] === 'in' && end === start + 1 && smallNumberAt(words, start) !== null;
}

/** "By four" is an answer only to a question for a deadline. */
function isDeadline(
  words: readonly string[],
  { start }: TimeMention,
  asked: string | null | undefined,
): boolean {
  return words[start - 1] === 'by' && !asksUntilWhen(asked);
}

function timeMentions(words: readonly string[], anchored: boolean): TimeMention[] {
  const places: SaidAt[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const skipped = otherNumberAt(words, index);
    if (skipped > 0) {
      index += skipped - 1;
      continue;
    }
    const said = timeAt(words, index);
    if (!said || (anchored && !isAnchored(words, index, said))) continue;
    places.push({ said, start: index, end: index + said.length });
    index += said.length - 1;
  }
  return withoutCounts(words, places).map(({ said, ...place }, index) => {
    const [before, behind] = [places[index - 1]?.end ?? 0, places[index + 1]?.start ?? words.length];
    const daytime = said.isSure ? null : daytimeOf(words, place, before, behind);
    const minutes = said.isSure ? [said.minute] : minutesMeant(said.minute, daytime);
    return { ...place, minutes, value: minutes.join(' ') };
  });
}

/** "For four on Friday at seven" means seven. */
function withoutCounts(words: readonly string[], places: readonly SaidAt[]): readonly SaidAt[] {
  const isCount = ({ start, said }: SaidAt) => !said.isSure && /^(?:for|of)$/.test(words[start - 1] ?? '');
  const isPlain = places.some((place) => !isCount(place) && isAnchored(words, place.start, place.said));
  return isPlain && lastChange(words, places) < 0 ? places.filter((place) => !isCount(place)) : places;
}

function settled(
  minutes: readonly number[],
  range: TimeRange,
  near: number | null,
): number | typeof NOT_POSSIBLE {
  const possible = minutes.filter((minute) => isWithin(minute, range));
  if (possible.length === 0) return NOT_POSSIBLE;
  // "No, nine", after eight in the evening, is in the evening.
  if (near !== null && !isUsual(near))
    return possible.reduce((one, other) => (Math.abs(other - near) < Math.abs(one - near) ? other : one));
  return possible.find(isUsual) ?? possible[0]!;
}

function isUsual(minute: number): boolean {
  return isWithin(minute, USUAL_HOURS);
}

/** Changes to an earlier time: "an hour later", "half an hour earlier", "in the evening", "p.m.". */
function changedBy(words: readonly string[], near: number): number | null {
  const said = words.join(' ').replace(/(?: (?:please|thanks|thank you|then|if possible))+$/, '');
  const amount =
    /(?:^| )(half an hour|an hour|[a-z0-9 ]+? (?:minutes?|hours?)) (later|earlier|before|after)$/.exec(said);
  if (amount) {
    const minutes = minutesIn(amount[1]!.split(' '));
    if (minutes === null) return null;
    const changed = near + (/^(?:later|after)$/.test(amount[2]!) ? minutes : -minutes);
    return isWithin(changed, WHOLE_DAY) ? changed : null;
  }
  const part = /\b(am|pm|morning|afternoon|evening|night)$/.exec(said)?.[1];
  const span = PARTS_OF_DAY.get(part ?? '');
  if (!span || /\bnot\b/.test(said)) return null;
  const early = near % HALF_DAY;
  return [early, early + HALF_DAY].find((minute) => isWithin(minute, span)) ?? null;
}

function isWithin(minute: number, { earliest, latest }: TimeRange): boolean {
  return minute >= earliest && minute <= latest;
}

/** "Twenty minutes", "two hours", "half an hour". */
function minutesIn(words: readonly string[]): number | null {
  if (words[0] === 'half') return 30;
  if (words[0] === 'an') return 60;
  const at = words.findIndex((_word, index) => smallNumberAt(words, index) !== null);
  const count = at < 0 ? null : smallNumberAt(words, at);
  if (!count) return null;
  return words.at(-1)!.startsWith('hour') ? count.value * 60 : count.value;
}

function isAnchored(words: readonly string[], index: number, { isSure, length }: SaidTime): boolean {
  const said = words.slice(index, index + length);
  // "In twenty" is no time of day.
  const isBare = length === 1 && smallNumberAt(words, index) !== null;
  const isPlain = (isSure && !isBare) || said.some((word) => /^(?:oclock|past|to|quarter|half)$/.test(word));
  return isPlain || /^(?:at|around|about|by|after|until)$/.test(words[index - 1] ?? '');
}
