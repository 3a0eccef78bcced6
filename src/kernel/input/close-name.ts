/** Shorter names are one change away from many words that mean something else. */
const SHORTEST = 4;
/** Up to this length a letter in another's place makes another word too easily: date, data. */
const SHORT = 4;

/**
 * The name among some that one was probably meant to be: it differs in capitals or underscores, or by one slip of the
 * fingers (a letter too many, too few, wrong, or two that changed places). Null where none is that close.
 */
export function closeName(name: string, known: Iterable<string>): string | null {
  const others = [...known].filter((other) => other !== name);
  const wanted = plain(name);
  return (
    // Only what is taken away makes a name plain: a shorter one cannot become it.
    others.find((other) => other.length >= wanted.length && plain(other) === wanted) ??
    others.find((other) => isSlip(name, other)) ??
    null
  );
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

function isSlip(name: string, other: string): boolean {
  const [short, long] = name.length < other.length ? [name, other] : [other, name];
  if (short.length < SHORTEST || short[0] !== long[0]) return false;
  // Numbered names belong together, and are not each other.
  if (short.replace(/\d/g, '') === long.replace(/\d/g, '')) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const [left, right] = [short.slice(start), long.slice(start)];
  if (left.length < right.length) return left === right.slice(1);
  if (left.slice(0, 2) === right[1]! + right[0]!) return left.slice(2) === right.slice(2);
  return short.length > SHORT && left.slice(1) === right.slice(1);
}
