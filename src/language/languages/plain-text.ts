/** Small letters without accents, and only words, each with a blank behind it: what ways of saying are matched with. */
export function plainText(text: string): string {
  const words = withoutAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words === '' ? '' : `${words} `;
}

/** Letters without accents; "ß" is written out. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replace(/ß/g, 'ss');
}
