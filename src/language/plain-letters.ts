/** Letters that are no others with an accent, as they are written where they are not known. */
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
const ANY = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'giu');

/**
 * Latin text with the letters that English has: "Søren Weiß" is "Soren Weiss", "José" is "Jose". What is no letter is
 * decomposed (NFKD); other scripts stay.
 */
export function toPlainLetters(text: string): string {
  return text.replace(ANY, plainLetter).normalize('NFKD').replace(/\p{M}/gu, '');
}

function plainLetter(letter: string): string {
  const small = letter.toLowerCase();
  const plain = LETTERS[small]!;
  return letter === small ? plain : plain[0]!.toUpperCase() + plain.slice(1);
}
