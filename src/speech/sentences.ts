/** The first piece should be short, so that it is soon heard, but not so short that it sounds chopped. */
const SHORTEST_FIRST = 20;
/** A first sentence shorter than this is spoken as a whole: it is there soon enough. */
const LONGEST_WHOLE_FIRST = 60;
/** The most that is synthesised in one go. */
const LONGEST_PIECE = 200;

/** Words with a full stop that end no sentence. */
const ABBREVIATION =
  /(?:\b(?:mr|mrs|ms|dr|prof|lt|capt|st|mt|rd|ave|blvd|ln|apt|no|jr|sr|vs|approx|dept|ext|inc|ltd|co|e\.g|i\.e|etc)|\b[A-Z])\.\s*$/i;

/** Made once: that takes longer than all that is cut with it in a call. */
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A pause that follows a piece, in milliseconds: what a reader would leave. */
export function pauseAfterMs(piece: string): number {
  return /[.!?]$/.test(piece) ? 220 : 90;
}

/**
 * A text in the pieces it is spoken in: sentences, where a long first one is cut after its first clause and very long
 * ones at clauses or words. Joined with spaces they are the text again.
 */
export function splitSentences(text: string): string[] {
  const pieces = sentencesOf(text).flatMap((sentence) => cutLong(sentence));
  const [first, ...rest] = pieces;
  if (first === undefined) return [];
  return [...cutFirstClause(first), ...rest];
}

/** The sentences of a text, each with its mark at the end. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let open = '';
  for (const { segment } of SENTENCES.segment(text)) {
    open += segment;
    if (ABBREVIATION.test(open)) continue;
    if (open.trim() !== '') sentences.push(open.trim());
    open = '';
  }
  if (open.trim() !== '') sentences.push(open.trim());
  return sentences;
}

function cutFirstClause(sentence: string): string[] {
  if (sentence.length <= LONGEST_WHOLE_FIRST) return [sentence];
  const clause = new RegExp(`^.{${SHORTEST_FIRST - 1},}?[,;:](?=\\s)`).exec(sentence)?.[0];
  // A cut near the end wins nothing and leaves a stump.
  if (!clause || sentence.length - clause.length < SHORTEST_FIRST) return [sentence];
  return [clause, sentence.slice(clause.length).trim()];
}

function cutLong(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > LONGEST_PIECE) {
    const head = rest.slice(0, LONGEST_PIECE);
    const clauseEnd = Math.max(head.lastIndexOf(', '), head.lastIndexOf('; '), head.lastIndexOf(': ')) + 1;
    const wordEnd = head.lastIndexOf(' ');
    const at = clauseEnd >= SHORTEST_FIRST ? clauseEnd : wordEnd > 0 ? wordEnd : LONGEST_PIECE;
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}
