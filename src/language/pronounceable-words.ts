import { numberNames } from './number-names.js';
import { toPlainLetters } from './plain-letters.js';

/** The spoken words of a written phrase, in the engine's spelling: "10:30 A.M." is ten, thirty, a, m. */
export function toWords(phrase: string): string[] {
  const plain = toPlainLetters(phrase)
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
  if (digits.length === 1) return numberNames(value);
  if (digits.length === 2)
    return digits.startsWith('0') ? ['oh', ...numberNames(value % 10)] : numberNames(value);
  if (digits.length === 3 && value % 100 === 0 && value > 0) return numberNames(value);
  return [...digits].flatMap((digit) => numberNames(Number(digit)));
}
