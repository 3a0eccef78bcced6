/** The fewest characters of a name that may have a typing error: shorter names resemble many unrelated words. */
const MIN_CHARACTERS = 4;
/** Up to this length a replaced letter is not taken for a typing error: `date` and `data` are both names. */
const SHORT_NAME_CHARACTERS = 4;

/**
 * The known name that a misspelt name probably means, for warnings about requests, agents and settings: a name that
 * differs in case or underscores only or, if there is none, by one typing error (a letter inserted, missing or
 * replaced, or two adjacent letters swapped). Null if no name is that close.
 */
export function closeName(name: string, known: Iterable<string>): string | null {
  const others = [...known].filter((other) => other !== name);
  const wanted = normalise(name);
  return (
    others.find((other) => other.length >= wanted.length && normalise(other) === wanted) ??
    others.find((other) => isTypingError(name, other)) ??
    null
  );
}

function normalise(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/**
 * True if the names differ by one letter that is missing, added, swapped with its neighbour or, in longer names, wrong.
 * The first letter must be the same. It skips what the names have in common at the start; behind that, only the one
 * error may differ.
 */
function isTypingError(name: string, other: string): boolean {
  const [short, long] = name.length < other.length ? [name, other] : [other, name];
  if (short.length < MIN_CHARACTERS || short[0] !== long[0]) return false;
  // Names that differ only in a number, such as `line1` and `line2`, are both meant.
  if (short.replace(/\d/g, '') === long.replace(/\d/g, '')) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const [left, right] = [short.slice(start), long.slice(start)];
  if (left.length < right.length) return left === right.slice(1);
  if (left.slice(0, 2) === right[1]! + right[0]!) return left.slice(2) === right.slice(2);
  return short.length > SHORT_NAME_CHARACTERS && left.slice(1) === right.slice(1);
}
