import type { Language } from '#language/languages/language.js';
import type { LanguageFile } from '#language/languages/language-file.js';
import { plainText } from '#language/languages/plain-text.js';

/**
 * The classes of words said over the agent: no word, only back-channels ("mm-hm", "got it"), words that ask the agent
 * to stop, or other words.
 */
export type OverlapKind = 'none' | 'back_channel' | 'words' | 'stop';

/** Classifies words said over the agent, in one language. */
export type OverlapClassifier = (text: string) => OverlapKind;

/** One classifier per language for all calls: the patterns are long. */
const classifiers = new WeakMap<Language, OverlapClassifier>();

/** The classifier of a language. `TurnArbitration` decides by it whether the caller interrupts. */
export function overlapClassifier(language: Language): OverlapClassifier {
  const classifier = classifiers.get(language) ?? createClassifier(language.file.overlap);
  classifiers.set(language, classifier);
  return classifier;
}

/**
 * Builds the classifier of a language. A text is a back-channel if it consists of back-channel phrases, the last of
 * which may be incomplete.
 */
function createClassifier({
  back_channels: backChannels,
  stop_words: stopWords,
}: LanguageFile['overlap']): OverlapClassifier {
  const phrases = plainPhrases(backChannels);
  const partialPhrases = phrases.flatMap(beginnings).join('|');
  const backChannelPattern = new RegExp(`^(?:(?:${phrases.join('|')})(?: |$))*(?:${partialPhrases})?$`);
  const stopPattern = new RegExp(`(?:^| )(?:${plainPhrases(stopWords).join('|')})(?: |$)`);
  return (text) => {
    const words = plainText(text).trimEnd();
    if (words === '') return 'none';
    if (backChannelPattern.test(words)) return 'back_channel';
    return stopPattern.test(words) ? 'stop' : 'words';
  };
}

/** The beginnings of a phrase, such as "got" of "got it": partial words may still become a back-channel. */
function beginnings(phrase: string): string[] {
  const words = phrase.split(' ');
  return words.slice(1).map((_, count) => words.slice(0, count + 1).join(' '));
}

/** The phrases of lists that are divided by `|`, as plain text. */
function plainPhrases(lists: readonly string[]): string[] {
  return lists.flatMap((list) => list.split('|')).map((phrase) => plainText(phrase).trimEnd());
}
