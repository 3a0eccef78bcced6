import { phraseTable, type PhraseTable } from '#language/phrases.js';
import { isRuledOut } from '#language/ruled-out.js';
import { wordsOf } from '#language/words.js';

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
interface Mention {
  meaning: string;
  start: number;
  end: number;
}

/** The phrases of a question's options as a table, built once and used for every utterance. */
export function choiceTable(options: readonly ChoiceOption[]): PhraseTable<string> {
  return phraseTable(
    options.flatMap((option) =>
      [option.value.replaceAll('_', ' '), ...option.phrases].map(
        (phrase) => [option.value, wordsOf(phrase).join(' ')] as const,
      ),
    ),
  );
}

/** Reads which option an answer names; null for none or more than one. Expects the words of `wordsOf`. */
export function readChoice(
  words: readonly string[],
  options: readonly ChoiceOption[],
  table: PhraseTable<string> = choiceTable(options),
): string | null {
  const mentions = table.find(words);
  const apart = withoutEndings(words);
  // "Morning's best" is read as "morning is best".
  if (mentions.length === 0 && apart.length > words.length) return readChoice(apart, options, table);
  if (mentions.length === 0) return byPosition(words, options);
  const meant = withoutRuledOut(words, mentions);
  const only = theOnly(meant);
  if (only !== null) return only;
  // "The morning … no, the afternoon": only options named after the last correction count.
  const change = CORRECTIONS.find(words).findLast((hit) => meant.some((mention) => mention.start >= hit.end));
  return change ? theOnly(meant.filter((mention) => mention.start >= change.end)) : null;
}

/** "Morning's" as "morning is". */
function withoutEndings(words: readonly string[]): string[] {
  return words.flatMap((word) => (word.endsWith("'s") ? [word.slice(0, -2), 'is'] : [word]));
}

function theOnly(mentions: readonly Mention[]): string | null {
  const values = new Set(mentions.map((mention) => mention.meaning));
  return values.size === 1 ? mentions[0]!.meaning : null;
}

/** Words before an option that make it no answer: "I'm allergic to pasta", "last time I had pizza". */
const NO_CHOICE_BEFORE = new RegExp(
  '(?:^| )(?:allergic to|hate|dislike|detest|can not stand|last time (?:i|we) (?:had|took|chose|got|paid|used)|(?:lost|forgot|broke|cancelled|blocked) (?:my|our)|' +
    '(?:you|i|we|they) (?:called|rang|phoned)(?: (?:me|us|you))?(?: (?:already|earlier|just|in|on))?|' +
    'what (?:kind|sort|type) of)(?: (?:the|a|any|this|in|on|by|with|your|yesterday|eating|having)){0,3}$',
);
/** "What was the second one?" asks about an option and chooses none. */
const ASKED_WHAT = /(?:^| )(?:what|which|who) (?:is|was|were|are)(?: the| an?)?$/;
const NO_CHOICE_ASKED = /^(?:and )?(?:is|are) (?:the|your)$/;
/** Words after an option that turn a question into an answer: "is the morning okay?" chooses the morning. */
const TAKING =
  /^(?:$|(?:still )?(?:ok|okay|all right|alright|fine|good|possible|free|available|open|taken)(?: |$))/;

function isToldBesides(words: readonly string[], { start, end }: Mention): boolean {
  const before = words.slice(0, start).join(' ');
  const isAsked = NO_CHOICE_ASKED.test(before) && !TAKING.test(words.slice(end).join(' '));
  return isAsked || ASKED_WHAT.test(before) || NO_CHOICE_BEFORE.test(before);
}

/**
 * Drops options that are refused or only mentioned: "not in the morning", "anything but the morning", "good morning".
 */
function withoutRuledOut(words: readonly string[], mentions: readonly Mention[]): Mention[] {
  return mentions.filter(
    (mention, index) =>
      !isGreeting(words, mention.start, mention.end) &&
      !isToldBesides(words, mention) &&
      !isRuledOut(words, mentions, index),
  );
}

function isGreeting(words: readonly string[], start: number, end: number): boolean {
  return (
    words[start - 1] === 'good' &&
    end === start + 1 &&
    /^(?:morning|afternoon|evening|day)$/.test(words[start]!)
  );
}

/** Words that may follow "the first" when it names an option; "first of all" and "the last time" name none. */
const BEHIND_A_POSITION =
  /^(?:$|(?:please|thanks|thank|then|i|we|that|would|is|will|sounds|suits|works|if|but|because|for (?:me|us)|of (?:the|those|these|them|your))\b)/;

function byPosition(words: readonly string[], options: readonly ChoiceOption[]): string | null {
  const hits = ORDINALS.find(words).filter(({ start, end }) => {
    if (ASKED_WHAT.test(words.slice(0, start).join(' '))) return false;
    if (end - start > 1) return true;
    const isMoment =
      words[start] === 'second' && /^(?:a|one|another|half|few|split)$/.test(words[start - 1] ?? '');
    return !isMoment && BEHIND_A_POSITION.test(words.slice(end).join(' '));
  });
  const positions = new Set(hits.map((hit) => hit.meaning));
  return positions.size === 1 ? (options.at([...positions][0]!)?.value ?? null) : null;
}
