const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
/** By the tens digit; below twenty it has no name. */
const TENS = ' , ,twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety'.split(',');

/**
 * A whole number below a thousand as English words, without "and": 342 is three, hundred, forty, two. Used for speech
 * and for the grammar of the built-in recogniser; `number-words.ts` is the other direction.
 */
export function numberToWords(value: number): string[] {
  if (value < 20) return [ONES[value]!];
  if (value < 100) return [TENS[Math.floor(value / 10)]!, ...rest(value % 10)];
  return [ONES[Math.floor(value / 100)]!, 'hundred', ...rest(value % 100)];
}

function rest(value: number): string[] {
  return value === 0 ? [] : numberToWords(value);
}
