import { phraseTable, type PhraseTable } from '#language/phrases.js';
import { isRuledOut } from '#language/ruled-out.js';
import { wordsOf } from '#language/words.js';

/** One option of a choice question, as `expect.options` of a playbook names it. */
export interface ChoiceOption {
  /** The answer that is saved: `morning`. Callers may say it, too, with blanks for `_`. */
  value: string;
  phrases: readonly string[];
}

/** Words of correction: of several options, the option named after them counts. */
const CORRECTIONS = phraseTable<'correction'>([
  ['correction', 'no, wait, actually, sorry, i mean, rather, instead, make it, better'],
]);
/** Positions of options, as indexes; -1 is the last option. */
const ORDINALS = phraseTable<number>([
  [0, 'first, first one, first option, option one, number one, former'],
  [1, 'second, second one, second option, option two, number two'],
  [2, 'third, third one, third option, option three, number three'],
  [3, 'fourth, fourth one, fourth option, option four, number four'],
  [-1, 'last, last one, last option, latter'],
]);

/** An option named in an utterance, from the word `start` to before the word `end`. */
interface OptionMention {
  /** The value of the option. */
  meaning: string;
  start: number;
  end: number;
}

/** The phrases of a question's options as a table, for callers that read more than one utterance with it. */
export function choiceTable(options: readonly ChoiceOption[]): PhraseTable<string> {
  return phraseTable(
    options.flatMap((option) =>
      [option.value.replaceAll('_', ' '), ...option.phrases].map(
        (phrase) => [option.value, wordsOf(phrase).join(' ')] as const,
      ),
    ),
  );
}

/**
 * Reads the answer to a choice question in English: the value of the option that the words name, by a phrase or by its
 * position ("the second one"). Null if they name none, or more than one. `readValue` and `interpret` use it during
 * calls, `questionFaults` for the checks of a playbook.
 * @param words the words of the answer, as `wordsOf` returns them
 */
export function readChoice(
  words: readonly string[],
  options: readonly ChoiceOption[],
  table: PhraseTable<string> = choiceTable(options),
): string | null {
  const mentions = table.find(words);
  const expanded = expandContractions(words);
  // "Morning's best" is read as "morning is best".
  if (mentions.length === 0 && expanded.length > words.length) return readChoice(expanded, options, table);
  if (mentions.length === 0) return optionByPosition(words, options);
  const meant = withoutRuledOut(words, mentions);
  const only = soleOption(meant);
  if (only !== null) return only;
  // "The morning … no, the afternoon": only options named after the last correction count.
  const correction = CORRECTIONS.find(words).findLast((hit) =>
    meant.some((mention) => mention.start >= hit.end),
  );
  return correction ? soleOption(meant.filter((mention) => mention.start >= correction.end)) : null;
}

/** The words with "'s" written out: "morning's" becomes "morning is". */
function expandContractions(words: readonly string[]): string[] {
  return words.flatMap((word) => (word.endsWith("'s") ? [word.slice(0, -2), 'is'] : [word]));
}

/** The option that all mentions name; null for none or several. */
function soleOption(mentions: readonly OptionMention[]): string | null {
  const values = new Set(mentions.map((mention) => mention.meaning));
  return values.size === 1 ? mentions[0]!.meaning : null;
}

/** Words before an option that make it no answer: "I'm allergic to pasta", "last time I had pizza". */
const NO_CHOICE_BEFORE = new RegExp(
  '(?:^| )(?:allergic to|hate|dislike|detest|can not stand|last time (?:i|we) (?:had|took|chose|got|paid|used)|(?:lost|forgot|broke|cancelled|blocked) (?:my|our)|' +
    '(?:you|i|we|they) (?:called|rang|phoned)(?: (?:me|us|you))?(?: (?:already|earlier|just|in|on))?|' +
    'what (?:kind|sort|type) of)(?: (?:the|a|any|this|in|on|by|with|your|yesterday|eating|having)){0,3}$',
);
/** Words before an option in a question about it, which chooses none: "what was [the second one]?" */
const ASKED_WHAT = /(?:^| )(?:what|which|who) (?:is|was|were|are)(?: the| an?)?$/;
/** "Is the morning …" asks about an option, unless {@link ACCEPTS_OPTION} follows. */
const NO_CHOICE_ASKED = /^(?:and )?(?:is|are) (?:the|your)$/;
/** Words after an option that turn a question into an answer: "is the morning okay?" chooses the morning. */
const ACCEPTS_OPTION =
  /^(?:$|(?:still )?(?:ok|okay|all right|alright|fine|good|possible|free|available|open|taken)(?: |$))/;

/** True if the words around an option mention it without choosing it. */
function isOnlyMentioned(words: readonly string[], { start, end }: OptionMention): boolean {
  const before = words.slice(0, start).join(' ');
  const isAsked = NO_CHOICE_ASKED.test(before) && !ACCEPTS_OPTION.test(words.slice(end).join(' '));
  return isAsked || ASKED_WHAT.test(before) || NO_CHOICE_BEFORE.test(before);
}

/**
 * Drops mentions that choose nothing: refused options ("not in the morning", "anything but the morning"), options in
 * questions and reports, and "good morning".
 */
function withoutRuledOut(words: readonly string[], mentions: readonly OptionMention[]): OptionMention[] {
  return mentions.filter(
    (mention, index) =>
      !isGreeting(words, mention.start, mention.end) &&
      !isOnlyMentioned(words, mention) &&
      !isRuledOut(words, mentions, index),
  );
}

/** True for the "morning" in "good morning". */
function isGreeting(words: readonly string[], start: number, end: number): boolean {
  return (
    words[start - 1] === 'good' &&
    end === start + 1 &&
    /^(?:morning|afternoon|evening|day)$/.test(words[start]!)
  );
}

/** Words that may follow "the first" when it names an option; "first of all" and "the last time" name none. */
const AFTER_A_POSITION =
  /^(?:$|(?:please|thanks|thank|then|i|we|that|would|is|will|sounds|suits|works|if|but|because|for (?:me|us)|of (?:the|those|these|them|your))\b)/;

/** The option that the words name by its position: "the first one". */
function optionByPosition(words: readonly string[], options: readonly ChoiceOption[]): string | null {
  const hits = ORDINALS.find(words).filter(({ start, end }) => {
    if (ASKED_WHAT.test(words.slice(0, start).join(' '))) return false;
    // "The first one" always means an option; "first" alone needs the right words around it.
    if (end - start > 1) return true;
    // "Wait a second."
    const isMoment =
      words[start] === 'second' && /^(?:a|one|another|half|few|split)$/.test(words[start - 1] ?? '');
    return !isMoment && AFTER_A_POSITION.test(words.slice(end).join(' '));
  });
  const positions = new Set(hits.map((hit) => hit.meaning));
  return positions.size === 1 ? (options.at([...positions][0]!)?.value ?? null) : null;
}
