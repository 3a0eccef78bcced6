import { phraseTable } from './phrases.js';
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

/** Reads which of some options is meant; null when none is, or more than one. Takes the words of `wordsOf`. */
export function readChoice(words: readonly string[], options: readonly ChoiceOption[]): string | null {
  const table = phraseTable(
    options.flatMap((option) =>
      [option.value.replaceAll('_', ' '), ...option.phrases].map(
        (phrase) => [option.value, wordsOf(phrase).join(' ')] as const,
      ),
    ),
  );
  const mentions = table.find(words);
  if (mentions.length === 0) return byPosition(words, options);
  const meant = mentions.filter((mention) => !isRuledOut(words, mention));
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

/** "Not in the morning", "the morning doesn't work", "better than the morning". */
function isRuledOut(words: readonly string[], mention: Mention): boolean {
  const before = words.slice(Math.max(0, mention.start - NEGATION_REACH), mention.start);
  const after = words.slice(mention.end, mention.end + 2);
  return before.some((word) => word === 'not' || word === 'than') || after[1] === 'not';
}

function byPosition(words: readonly string[], options: readonly ChoiceOption[]): string | null {
  const positions = new Set(ORDINALS.find(words).map((hit) => hit.meaning));
  return positions.size === 1 ? (options.at([...positions][0]!)?.value ?? null) : null;
}
