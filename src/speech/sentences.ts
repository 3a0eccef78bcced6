/* Cuts texts into the pieces that a voice synthesises one by one. English short forms such as "Dr." end no sentence. */

/**
 * The shortest piece that is cut off at a clause, and the shortest rest after the first piece: short enough to be heard
 * soon, long enough not to sound chopped.
 */
const SHORTEST_FIRST = 20;
/** A shorter first sentence is spoken as a whole: it is synthesised soon enough. */
const LONGEST_WHOLE_FIRST = 60;
/** Longest text that is synthesised at once. */
export const LONGEST_PIECE = 200;

/** Short forms with a full stop that never end a sentence: a name or a number follows. */
const NEVER_ENDS =
  /\b(?:mr|mrs|ms|dr|prof|lt|capt|col|gen|sgt|rev|hon|gov|sen|mt|vs|approx|e\.g|i\.e)\.\s*$/i;
/** A short form that ends no sentence if a number follows. */
const CONTINUES_WITH_NUMBER = /\bno\.\s*$/i;
/** Short forms with a full stop that may end a sentence, with single letters: initials, "10 a.m.", "the U.S.". */
const MAY_END = /\b(?:st|rd|ave|blvd|ln|apt|jr|sr|dept|ext|inc|ltd|co|etc|[a-z])\.\s*$/i;
/**
 * First words of a sentence, as opposed to a name: after "10 a.m.", "See you then" is a new sentence and "Tuesday" is
 * not. A word with a full stop after it is an initial.
 */
const OPENER = new RegExp(
  String.raw`^["'“‘(]*(?:${[
    'A|An|The|This|That|These|Those|There|Here|I|You|He|She|It|We|They|My|Your|His|Her|Its|Our|Their',
    'Am|Is|Are|Was|Were|Do|Does|Did|Have|Has|Had|Can|Could|Shall|Should|Will|Would|Must|Might|May (?:I|we|you)',
    'Who|What|When|Where|Which|Why|How|And|But|Or|So|If|As|Because|Then|Now|After|Before|Until|Once|Also',
    'In|On|At|To|For|From|By|With|Of|About|All|Any|Both|Each|Every|No|None|Not|Yes|Okay|OK|Well|Sorry',
    'Please|Thanks?|Goodbye|Bye|Hello|Hi|Good|See|Call|Press|Say|Tell|Take|Bring|Come|Go|Let|Just|Ask|Give',
  ].join('|')})\b(?!\.)`,
);
/** Characters before and after a full stop that decide whether a sentence ends there. */
const INSPECTED_BEFORE = 40;
const INSPECTED_AFTER = 80;
/** A full stop or another mark at the end of a sentence, possibly followed by quotes or brackets. */
const ENDS_SENTENCE = /[.!?…]["'”’)\]]*$/;

/** A clause that is long enough to be spoken before the rest of its sentence. */
const FIRST_CLAUSE = new RegExp(`^.{${SHORTEST_FIRST - 1},}?[,;:](?=\\s)`);

/** Shared by all calls: making a segmenter takes longer than all its use in a call. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The pause after a piece, in milliseconds, as a human reader makes it: longer after a sentence than a clause. */
export function pauseAfterMs(piece: string): number {
  return ENDS_SENTENCE.test(piece) ? 220 : 90;
}

/**
 * The pieces of a text to be spoken: sentences. A long first sentence is cut after its first clause, so that speaking
 * starts early; very long sentences are cut at clauses or words. The pieces in order have the words of the text; only
 * white space between pieces is dropped.
 * @param options.isFirst true if the turn begins with this text; default true
 */
export function splitSentences(text: string, { isFirst = true } = {}): string[] {
  const pieces = sentencesOf(text).flatMap((sentence) => cutLong(sentence));
  const [first, ...rest] = pieces;
  if (first === undefined || !isFirst) return pieces;
  return [...cutFirstClause(first), ...rest];
}

/** Index after the first clause of a text that is long enough to be spoken alone; null if there is none. */
export function endOfFirstClause(text: string): number | null {
  return FIRST_CLAUSE.exec(text)?.[0].length ?? null;
}

/** The sentences of a text, each with its final mark. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { segment, index } of SEGMENTER.segment(text)) {
    const end = index + segment.length;
    // Only the end of a sentence is inspected, however long it has grown: some texts consist of short forms only.
    const last = text.slice(Math.max(start, end - INSPECTED_BEFORE), end);
    if (continuesAfter(last, text.slice(end, end + INSPECTED_AFTER))) continue;
    sentences.push(text.slice(start, end).trim());
    start = end;
  }
  sentences.push(text.slice(start).trim());
  return sentences.filter((sentence) => sentence !== '');
}

/** True if the full stop at the end belongs to a short form, and the sentence continues. */
function continuesAfter(last: string, rest: string): boolean {
  if (NEVER_ENDS.test(last)) return true;
  if (CONTINUES_WITH_NUMBER.test(last)) return /^#?\d/.test(rest);
  return MAY_END.test(last) && !OPENER.test(rest);
}

/** Cuts a long first sentence after its first clause: the caller hears the clause while the rest is synthesised. */
function cutFirstClause(sentence: string): string[] {
  if (sentence.length <= LONGEST_WHOLE_FIRST) return [sentence];
  const clause = FIRST_CLAUSE.exec(sentence)?.[0];
  // A cut near the end gains no time and leaves a stump.
  if (!clause || sentence.length - clause.length < SHORTEST_FIRST) return [sentence];
  return [clause, sentence.slice(clause.length).trim()];
}

/** Cuts a sentence that is longer than the longest piece at clauses, or else at words. */
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
