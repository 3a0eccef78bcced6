const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ' , ,twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety'.split(',');

/** The spoken words of a written phrase, in the engine's spelling: "10:30 A.M." is ten, thirty, a, m. */
export function toWords(phrase: string): string[] {
  const plain = phrase
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[’‘]/g, "'")
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/(\d)\s*([ap])\.?m\b\.?/g, '$1 $2 m')
    .replace(/\b([ap])\.m\.?/g, '$1 m')
    .replace(/:00\b/g, '')
    .replace(/(\d)(?=[a-z])|([a-z])(?=\d)/g, '$1$2 ');
  return (plain.match(/\d+|[a-z]+(?:'[a-z]+)*/g) ?? []).flatMap((token) =>
    /^\d/.test(token) ? numberWords(token) : [token],
  );
}

/** 7 → seven, 42 → forty two, 05 → oh five, 300 → three hundred; longer numbers digit by digit. */
function numberWords(digits: string): string[] {
  const value = Number(digits);
  if (digits.length === 1) return [ONES[value]!];
  if (digits.length === 2) return digits.startsWith('0') ? ['oh', ONES[value]!] : belowHundred(value);
  if (digits.length === 3 && value % 100 === 0 && value > 0) return [ONES[value / 100]!, 'hundred'];
  return [...digits].map((digit) => ONES[Number(digit)]!);
}

function belowHundred(value: number): string[] {
  if (value < 20) return [ONES[value]!];
  const ones = value % 10;
  return [TENS[Math.floor(value / 10)]!, ...(ones === 0 ? [] : [ONES[ones]!])];
}
