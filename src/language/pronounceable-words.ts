import { numberToWords } from './number-names.js';
import { toPlainLetters } from './plain-letters.js';

/**
 * The words that a speaker of a written phrase says, as the dictionary of the built-in recogniser spells them: "10:30
 * A.M." gives ten, thirty, a, m. Used for the recogniser's grammar, and to compare how phrases sound.
 */
export function toPronounceableWords(phrase: string): string[] {
  const plain = toPlainLetters(phrase)
    .replace(/[’‘]/g, "'")
    .toLowerCase()
    .replace(/&/g, ' and ')
    // "10pm", "p.m.", "10:00", "b12".
    .replace(/(\d)\s*([ap])\.?m\b\.?/g, '$1 $2 m')
    .replace(/\b([ap])\.m\.?/g, '$1 m')
    .replace(/:00\b/g, '')
    .replace(/(\d)(?=[a-z])|([a-z])(?=\d)/g, '$1$2 ');
  return (plain.match(/\d+|[a-z]+(?:'[a-z]+)*/g) ?? []).flatMap((token) =>
    /^\d/.test(token) ? numberWords(token) : [token],
  );
}

/** Figures as words: 7 is seven, 42 forty two, 05 oh five, 300 three hundred; other numbers digit by digit. */
function numberWords(digits: string): string[] {
  const value = Number(digits);
  if (digits.length === 1) return numberToWords(value);
  if (digits.length === 2)
    return digits.startsWith('0') ? ['oh', ...numberToWords(value % 10)] : numberToWords(value);
  if (digits.length === 3 && value % 100 === 0 && value > 0) return numberToWords(value);
  return [...digits].flatMap((digit) => numberToWords(Number(digit)));
}
