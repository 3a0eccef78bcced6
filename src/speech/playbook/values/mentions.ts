/** Something that was said, and where: from the word `start` to before the word `end`. */
export interface Mention<Value> {
  value: Value;
  start: number;
  end: number;
}

/** Words after which only what follows counts: "Tuesday … no, Wednesday". */
const CORRECTIONS = new Set([
  'no',
  'wait',
  'actually',
  'sorry',
  'mean',
  'meant',
  'rather',
  'instead',
  'correction',
]);
/** Words that rule out what follows them within reach: "not on Tuesday". */
const DENIALS = new Set(['not', 'except', 'than']);
const DENIAL_REACH = 3;

/**
 * The one value that is meant; null when nothing is, or when it stays open which. What is ruled out does not count, and
 * after a change of mind only what follows it.
 */
export function meantOf<Value>(
  words: readonly string[],
  mentions: readonly Mention<Value>[],
): Mention<Value> | null {
  const allowed = mentions.filter((_mention, index) => !isRuledOut(words, mentions, index));
  const only = theOnly(allowed);
  if (only) return only;
  const last = allowed.at(-1);
  if (!last) return null;
  const change = words.findLastIndex((word, index) => index < last.start && CORRECTIONS.has(word));
  return change < 0 ? null : theOnly(allowed.filter((mention) => mention.start > change));
}

function theOnly<Value>(mentions: readonly Mention<Value>[]): Mention<Value> | null {
  const first = mentions[0];
  return first && mentions.every((mention) => mention.value === first.value) ? first : null;
}

/** By a denial before it that no earlier mention has used up, or by one behind it that belongs to no later one. */
function isRuledOut(words: readonly string[], mentions: readonly Mention<unknown>[], index: number): boolean {
  const { start, end } = mentions[index]!;
  const from = Math.max(mentions[index - 1]?.end ?? 0, start - DENIAL_REACH);
  if (words.slice(from, start).some((word) => DENIALS.has(word))) return true;
  const denial = /^(?:is|does|will|would)$/.test(words[end] ?? '') ? end + 1 : end;
  return words[denial] === 'not' && mentions[index + 1]?.start !== denial + 1;
}
