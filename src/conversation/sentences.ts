/** Shorter sentences are spoken together with the next one: a voice needs some words to find its melody. */
const SHORTEST_CHARACTERS = 20;
/** A full stop after these ends no sentence. */
const ABBREVIATION = /(?:^|\s)(?:mr|mrs|ms|dr|prof|st|no|vs|approx)\.\s*$/i;

/** Cuts a text into sentences to be spoken one after the other, the first one as short as is sensible. */
export function sentencesOf(text: string, language: string): string[] {
  const sentences: string[] = [];
  let open = '';
  for (const { segment } of segmenterFor(language).segment(text.replace(/\s+/g, ' '))) {
    open += segment;
    if (open.trim().length < SHORTEST_CHARACTERS || ABBREVIATION.test(open)) continue;
    sentences.push(open.trim());
    open = '';
  }
  const rest = open.trim();
  if (rest !== '') sentences.push(rest);
  return sentences;
}

function segmenterFor(language: string): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language, { granularity: 'sentence' });
  } catch {
    // Not a language tag: the agent's own settings are free text.
    return new Intl.Segmenter('en', { granularity: 'sentence' });
  }
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
