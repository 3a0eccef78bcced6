import { phraseTable, type PhraseTable } from './phrases.js';
import { wordsOf } from './words.js';

export interface ChoiceOption {
  value: string;
  phrases: readonly string[];
}

const CORRECTIONS = phraseTable<'correction'>([
  ['correction', 'no, wait, actually, sorry, i mean, rather, instead, make it, better'],
]);
const ORDINALS = phraseTable<number>([
  [0, 'first, first one, first option, option one, number one, former'],
  [1, 'second, second one, second option, option two, number two'],
  [2, 'third, third one, third option, option three, number three'],
  [3, 'fourth, fourth one, fourth option, option four, number four'],
  [-1, 'last, last one, last option, latter'],
]);
/** How many words a negation reaches over to what it rules out: "not in the morning". */
const NEGATION_REACH = 4;

interface Mention {
  meaning: string;
  start: number;
  end: number;
}

/** The phrases of some options, to read many utterances with. */
export function choiceTable(options: readonly ChoiceOption[]): PhraseTable<string> {
  return phraseTable(
    options.flatMap((option) =>
      [option.value.replaceAll('_', ' '), ...option.phrases].map(
        (phrase) => [option.value, wordsOf(phrase).join(' ')] as const,
      ),
    ),
  );
}

/** Reads which of some options is meant; null when none is, or more than one. Takes the words of `wordsOf`. */
export function readChoice(
  words: readonly string[],
  options: readonly ChoiceOption[],
  table: PhraseTable<string> = choiceTable(options),
): string | null {
  const mentions = table.find(words);
  if (mentions.length === 0) return byPosition(words, options);
  const meant = withoutRuledOut(words, mentions);
  const only = theOnly(meant);
  if (only !== null) return only;
  // "The morning … no, the afternoon": what was said after the last change of mind counts.
  const change = CORRECTIONS.find(words).findLast((hit) => meant.some((mention) => mention.start >= hit.end));
  return change ? theOnly(meant.filter((mention) => mention.start >= change.end)) : null;
}

function theOnly(mentions: readonly Mention[]): string | null {
  const values = new Set(mentions.map((mention) => mention.meaning));
  return values.size === 1 ? mentions[0]!.meaning : null;
}

/**
 * The mentions that are meant: without "not in the morning", "the morning doesn't work", "than the morning". A negation
 * rules out one mention, and those joined to it by "or".
 */
function withoutRuledOut(words: readonly string[], mentions: readonly Mention[]): Mention[] {
  const spent = new Set<number>();
  let before: (Mention & { isRuledOut: boolean }) | undefined;
  const judged = mentions.map((mention) => {
    const between = before ? words.slice(before.end, mention.start) : [];
    const isJoined = before?.isRuledOut === true && between.some((word) => word === 'or' || word === 'nor');
    const isRuledOut = isJoined || isDenied(words, mention, before?.end ?? 0, spent);
    before = { ...mention, isRuledOut };
    return before;
  });
  return judged.filter((mention) => !mention.isRuledOut);
}

/** Whether an unspent negation stands right behind a mention or within reach before it; it is spent by that. */
function isDenied(words: readonly string[], mention: Mention, from: number, spent: Set<number>): boolean {
  const behind = mention.end + 1;
  if (words[behind] === 'not') {
    spent.add(behind);
    return true;
  }
  const earliest = Math.max(from, mention.start - NEGATION_REACH);
  const at = words.findLastIndex(
    (word, index) => index >= earliest && index < mention.start && (word === 'not' || word === 'than'),
  );
  return at >= 0 && !spent.has(at);
}

function byPosition(words: readonly string[], options: readonly ChoiceOption[]): string | null {
  const positions = new Set(ORDINALS.find(words).map((hit) => hit.meaning));
  return positions.size === 1 ? (options.at([...positions][0]!)?.value ?? null) : null;
}
