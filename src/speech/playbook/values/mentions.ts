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
  const allowed = mentions.filter((mention) => !isRuledOut(words, mention));
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

function isRuledOut(words: readonly string[], { start, end }: Mention<unknown>): boolean {
  if (words[end] === 'not' || (words[end + 1] === 'not' && /^(?:is|does|will|would)$/.test(words[end] ?? '')))
    return true;
  return words.slice(Math.max(0, start - DENIAL_REACH), start).some((word) => DENIALS.has(word));
}
