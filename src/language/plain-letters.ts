/** Letters that Unicode does not decompose into a letter and an accent, and their usual substitutes. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
};
const LETTER_PATTERN = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'giu');

/**
 * Latin text in the letters of English, for the built-in voice and the recogniser's grammar: "Søren Weiß" becomes
 * "Soren Weiss", "José" becomes "Jose". Other signs are decomposed (NFKD); other scripts stay.
 */
export function toPlainLetters(text: string): string {
  return text.replace(LETTER_PATTERN, plainLetter).normalize('NFKD').replace(/\p{M}/gu, '');
}

/** The substitute of one letter; a capital stays a capital: "Æ" becomes "Ae". */
function plainLetter(letter: string): string {
  const lowerCase = letter.toLowerCase();
  const plain = LETTERS[lowerCase]!;
  return letter === lowerCase ? plain : plain[0]!.toUpperCase() + plain.slice(1);
}
