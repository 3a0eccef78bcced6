/** The words of a text behind those that were heard of it, which are its first ones. */
export function wordsBeyond(text: string, heard: string): string {
  return wordsOf(text).slice(wordsOf(heard).length).join(' ');
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/**
 * The words of a sentence that were spoken to the end when `share` (0 to 1) of its sound had been played, estimated
 * by letters: at telephone speed every letter takes about as long as any other.
 */
export function wordsWithin(sentence: string, share: number): string {
  if (share >= 1) return sentence;
  const reached = Math.floor(share * sentence.length);
  if (sentence[reached] === ' ') return sentence.slice(0, reached).trimEnd();
  return sentence.slice(0, sentence.lastIndexOf(' ', reached) + 1).trimEnd();
}
