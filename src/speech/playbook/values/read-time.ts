import { meantOf, type Mention } from './mentions.js';
import { NOT_POSSIBLE } from './not-possible.js';
import { smallNumberAt } from './number-words.js';
import { spokenWords } from './spoken-words.js';

/** From which minute of the day to which; both count. */
export interface TimeRange {
  earliest: number;
  latest: number;
}

export const WHOLE_DAY: TimeRange = { earliest: 0, latest: 24 * 60 - 1 };

/** Where nothing else tells morning from evening: people are awake then. */
const USUAL_HOURS: TimeRange = { earliest: 7 * 60, latest: 19 * 60 - 1 };
const HALF_DAY = 12 * 60;

/** A time that was said: the minute of the day, and whether that is sure or only up to twelve hours. */
interface Said {
  minute: number;
  isSure: boolean;
  length: number;
}

/**
 * Reads a time of day.
 * @param options.anchored only where it is plainly a time ("at three", "three p.m."), not every number
 * @returns the minute of the day; {@link NOT_POSSIBLE} outside the range; null when none was said, or it stays open which
 */
export function readTime(
  text: string,
  options: { range?: TimeRange; anchored?: boolean } = {},
): number | typeof NOT_POSSIBLE | null {
  const range = options.range ?? WHOLE_DAY;
  const words = spokenWords(text).map((word) =>
    word === 'till' || word === 'til' || word === 'before' ? 'to' : word,
  );
  const daytime = daytimeOf(words);
  const mentions: (Mention<string> & { candidates: readonly number[] })[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const said = timeAt(words, index);
    if (!said || (options.anchored === true && !isAnchored(words, index, said))) continue;
    const candidates = candidatesOf(said, daytime);
    mentions.push({ value: candidates.join(' '), candidates, start: index, end: index + said.length });
    index += said.length - 1;
  }
  const meant = meantOf(words, mentions);
  if (!meant) return null;
  const { candidates } = mentions.find(({ start }) => start === meant.start)!;
  return settled(candidates, range);
}

function settled(candidates: readonly number[], range: TimeRange): number | typeof NOT_POSSIBLE {
  const possible = candidates.filter((minute) => minute >= range.earliest && minute <= range.latest);
  if (possible.length === 0) return NOT_POSSIBLE;
  const usual = possible.find((minute) => minute >= USUAL_HOURS.earliest && minute <= USUAL_HOURS.latest);
  return usual ?? possible[0]!;
}

function timeAt(words: readonly string[], index: number): Said | null {
  const word = words[index]!;
  if (word === 'noon' || word === 'midday') return { minute: HALF_DAY, isSure: true, length: 1 };
  if (word === 'midnight') return { minute: 0, isSure: true, length: 1 };
  return withHalf(words, index, relativeTime(words, index) ?? plainTime(words, index));
}

/** "Half past three", "quarter to four", "ten past three", "half three". */
function relativeTime(words: readonly string[], index: number): Said | null {
  const at = words[index] === 'a' ? index + 1 : index;
  const minutes =
    words[at] === 'half'
      ? { value: 30, length: 1 }
      : words[at] === 'quarter'
        ? { value: 15, length: 1 }
        : smallNumberAt(words, at);
  if (!minutes || minutes.value > 30 || minutes.value < 1) return null;
  const afterMinutes = at + minutes.length + (words[at + minutes.length] === 'minutes' ? 1 : 0);
  const direction = words[afterMinutes] ?? '';
  const isPast = direction === 'past' || direction === 'after';
  const isTo = direction === 'to' || direction === 'of';
  const isBritish = words[at] === 'half' && smallNumberAt(words, at + 1) !== null;
  if (!isPast && !isTo && !isBritish) return null;
  const hourAt = isBritish && !isPast && !isTo ? at + 1 : afterMinutes + 1;
  const hour = hourOf(words, hourAt);
  if (!hour) return null;
  const minute = isTo ? hour.value * 60 - minutes.value : hour.value * 60 + minutes.value;
  return {
    minute: (minute + 24 * 60) % (24 * 60),
    isSure: hour.value > 12,
    length: hourAt + hour.length - index,
  };
}

/** "Three", "three thirty", "three oh five", "three o'clock", "15:30", "fifteen hundred". */
function plainTime(words: readonly string[], index: number): Said | null {
  const figures = /^([01]?\d|2[0-3])([0-5]\d)$/.exec(words[index]!);
  if (figures && words[index]!.length >= 3) {
    const [hour, minute] = [Number(figures[1]), Number(figures[2])];
    return { minute: hour * 60 + minute, isSure: hour > 12 || hour === 0, length: 1 };
  }
  const hour = hourOf(words, index);
  if (!hour) return null;
  const at = index + hour.length;
  // A zero before the hour is how a clock of 24 hours is written.
  const isSure = hour.value > 12 || words[index]!.startsWith('0');
  if (words[at] === 'oclock' || words[at] === 'hundred') {
    return { minute: hour.value * 60, isSure, length: hour.length + 1 };
  }
  const isOh = /^(?:oh|o|zero)$/.test(words[at] ?? '');
  const minutes = smallNumberAt(
    words,
    isOh ? at + 1 : at === index ? at : at + (words[at] === 'point' ? 1 : 0),
  );
  const isMinutes =
    minutes !== null &&
    !minutes.isOrdinal &&
    minutes.value < 60 &&
    (minutes.value >= 10 || isOh || /^0\d$/.test(words[at] ?? ''));
  if (!isMinutes) return { minute: hour.value * 60, isSure, length: hour.length };
  const skipped = isOh || words[at] === 'point' ? 1 : 0;
  return { minute: hour.value * 60 + minutes.value, isSure, length: hour.length + skipped + minutes.length };
}

function hourOf(words: readonly string[], index: number) {
  const ones = smallNumberAt(words, index);
  if (!ones || ones.isOrdinal) return null;
  if (ones.value <= 23) return ones;
  return null;
}

/** Takes in "am" and "pm". */
function withHalf(words: readonly string[], index: number, said: Said | null): Said | null {
  if (!said) return null;
  const half = words[index + said.length];
  if (half !== 'am' && half !== 'pm') return said;
  const minute = (said.minute % HALF_DAY) + (half === 'pm' ? HALF_DAY : 0);
  return { minute, isSure: true, length: said.length + 1 };
}

type Daytime = 'morning' | 'later' | null;

/** Whether a part of the day was named: "three in the afternoon". */
function daytimeOf(words: readonly string[]): Daytime {
  if (words.includes('morning')) return 'morning';
  return words.some((word) => /^(?:afternoon|evening|night|tonight)$/.test(word)) ? 'later' : null;
}

function candidatesOf({ minute, isSure }: Said, daytime: Daytime): number[] {
  if (isSure) return [minute];
  const early = minute % HALF_DAY;
  if (daytime === 'morning') return [early];
  return daytime === 'later' ? [early + HALF_DAY] : [early, early + HALF_DAY];
}

function isAnchored(words: readonly string[], index: number, { isSure, length }: Said): boolean {
  const said = words.slice(index, index + length);
  const isPlain = isSure || said.some((word) => /^(?:oclock|past|to|quarter|half)$/.test(word));
  return isPlain || /^(?:at|around|about|by|after|until)$/.test(words[index - 1] ?? '');
}
