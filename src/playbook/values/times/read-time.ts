import { asksForDeadline, isUnrelatedTime } from '#playbook/answers/unrelated-times.js';
import { numberWithoutTimeAt, timeAt, type SaidTime } from './clock-times.js';
import { daytimeOf, minutesMeant } from './daytime.js';
import { lastCorrection, resolveMentions, sharedMention, type Mention } from '#language/mentions.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { smallNumberAt } from '#language/numbers/number-words.js';
import { spokenWords } from '#language/spoken-words.js';

/** The first and last accepted minute of the day, inclusive. */
export interface TimeRange {
  earliest: number;
  latest: number;
}

/** Any time of day. */
export const WHOLE_DAY: TimeRange = { earliest: 0, latest: 24 * 60 - 1 };

/** Waking hours decide between morning and evening if nothing else does: "at eight" is 08:00, "at five" 17:00. */
const WAKING_HOURS: TimeRange = { earliest: 7 * 60, latest: 19 * 60 - 1 };

const HALF_DAY = 12 * 60;

/**
 * The ranges into which "no, in the morning" moves an earlier answer by twelve hours. Three o'clock moves into no
 * morning: people do not call 03:00 a morning, so the agent asks again.
 */
const PARTS_OF_DAY: ReadonlyMap<string, TimeRange> = new Map([
  ['am', { earliest: 0, latest: HALF_DAY - 1 }],
  ['pm', { earliest: HALF_DAY, latest: WHOLE_DAY.latest }],
  ['morning', { earliest: 5 * 60, latest: HALF_DAY - 1 }],
  ['afternoon', { earliest: HALF_DAY, latest: 19 * 60 - 1 }],
  ['evening', { earliest: 16 * 60, latest: WHOLE_DAY.latest }],
  ['night', { earliest: 19 * 60, latest: WHOLE_DAY.latest }],
]);

/** The context in which `readTime` reads an utterance. */
export interface TimeReading {
  /** The times that the question accepts; default the whole day. */
  range?: TimeRange;
  /** True if only clear times count ("at three", "3:30"), not every number; default false. */
  anchored?: boolean;
  /** True if "after three" and "by three" count as three; default as `anchored`. */
  openEnded?: boolean;
  /** The answer that the caller changes, as a minute of the day: for "an hour later" and "in the evening". */
  near?: number | null;
  /** The text of the question: "I get off at five" is no answer to "When shall we come?". */
  asked?: string | null | undefined;
}

/** A time at its place: from the word `start` to before the word `end`. */
interface PlacedTime {
  said: SaidTime;
  start: number;
  end: number;
}

/** A time with the minutes of the day that it may mean; `value` is equal for equal minutes. */
type TimeMention = Mention<string> & { minutes: readonly number[] };

/**
 * Reads the answer to a question for a time of day, in English.
 * @returns the minute of the day; {@link NOT_POSSIBLE} for a time outside the range; null if no time was named, or
 *   several that differ
 */
export function readTime(
  text: string,
  { range = WHOLE_DAY, anchored = false, openEnded = anchored, near = null, asked = null }: TimeReading = {},
): number | typeof NOT_POSSIBLE | null {
  // Times that no clock shows, such as 25:00, are dropped, so that their parts are not read as a time.
  const words = spokenWords(text.replace(/\b(?:2[4-9]|[3-9]\d):\d\d\b/g, ' '));
  const mentions = timeMentions(words, anchored).filter(
    (mention, index, all) =>
      !isUnrelatedTime(words, all, index, asked) &&
      !isSpan(words, mention) &&
      (openEnded || !isDeadline(words, mention, asked)),
  );
  const changed = near === null || mentions.length > 0 ? null : changedTime(words, near);
  if (changed !== null) return pickMinute([changed], range, null);
  const meant = resolveMentions(words, mentions, sharedMention, { openEnded });
  return meant ? pickMinute(meant.minutes, range, near) : null;
}

/** True for a span: "in fifteen". "In the morning at nine" names a time of day. */
function isSpan(words: readonly string[], { start, end }: TimeMention): boolean {
  return words[start - 1] === 'in' && end === start + 1 && smallNumberAt(words, start) !== null;
}

/** True for a deadline, "by four", unless the question asks for a deadline. */
function isDeadline(
  words: readonly string[],
  { start }: TimeMention,
  asked: string | null | undefined,
): boolean {
  return words[start - 1] === 'by' && !asksForDeadline(asked);
}

/** The times in an utterance, from left to right, with the minutes of the day that each may mean. */
function timeMentions(words: readonly string[], anchored: boolean): TimeMention[] {
  const places: PlacedTime[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const skipped = numberWithoutTimeAt(words, index);
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
    const [previousEnd, nextStart] = [places[index - 1]?.end ?? 0, places[index + 1]?.start ?? words.length];
    const daytime = said.isSure ? null : daytimeOf(words, place, previousEnd, nextStart);
    const minutes = said.isSure ? [said.minute] : minutesMeant(said.minute, daytime);
    return { ...place, minutes, value: minutes.join(' ') };
  });
}

/** Drops numbers of people next to a clear time ("for four on Friday at seven"), unless the caller corrects. */
function withoutCounts(words: readonly string[], places: readonly PlacedTime[]): readonly PlacedTime[] {
  const isCount = ({ start, said }: PlacedTime) =>
    !said.isSure && /^(?:for|of)$/.test(words[start - 1] ?? '');
  const hasClearTime = places.some((place) => !isCount(place) && isAnchored(words, place.start, place.said));
  return hasClearTime && lastCorrection(words, places) < 0
    ? places.filter((place) => !isCount(place))
    : places;
}

/** The minute within the range: nearest to an earlier answer outside waking hours, else in waking hours if possible. */
function pickMinute(
  minutes: readonly number[],
  range: TimeRange,
  near: number | null,
): number | typeof NOT_POSSIBLE {
  const possible = minutes.filter((minute) => isWithin(minute, range));
  if (possible.length === 0) return NOT_POSSIBLE;
  // "No, nine", after eight in the evening, is in the evening.
  if (near !== null && !isWakingHour(near))
    return possible.reduce((best, minute) =>
      Math.abs(minute - near) < Math.abs(best - near) ? minute : best,
    );
  return possible.find(isWakingHour) ?? possible[0]!;
}

function isWakingHour(minute: number): boolean {
  return isWithin(minute, WAKING_HOURS);
}

/**
 * The earlier answer after a change: "an hour later", "half an hour earlier", "in the evening", "p.m.". Null if the
 * words are no change, or lead out of the day.
 * @param near the earlier answer, as a minute of the day
 */
function changedTime(words: readonly string[], near: number): number | null {
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

/** The minutes of an amount of time: "twenty minutes", "two hours", "half an hour". */
function minutesIn(words: readonly string[]): number | null {
  if (words[0] === 'half') return 30;
  if (words[0] === 'an') return 60;
  const at = words.findIndex((_word, index) => smallNumberAt(words, index) !== null);
  const count = at < 0 ? null : smallNumberAt(words, at);
  if (!count) return null;
  return words.at(-1)!.startsWith('hour') ? count.value * 60 : count.value;
}

/** True if a time is clearly a time of day: by "at", "o'clock", "half past" or minutes. */
function isAnchored(words: readonly string[], index: number, { isSure, length }: SaidTime): boolean {
  const said = words.slice(index, index + length);
  // "In twenty" is no time of day.
  const isBare = length === 1 && smallNumberAt(words, index) !== null;
  const isPlain = (isSure && !isBare) || said.some((word) => /^(?:oclock|past|to|quarter|half)$/.test(word));
  return isPlain || /^(?:at|around|about|by|after|until)$/.test(words[index - 1] ?? '');
}
