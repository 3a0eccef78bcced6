import type { Language } from '#language/languages/language.js';
import type { LanguageFile } from '#language/languages/language-file.js';
import { plainText } from '#language/languages/plain-text.js';

/** The classes of words said over the agent. */
export type Weight = 'none' | 'back_channel' | 'words' | 'stop';

/** Classifies words said over the agent, in one language. */
export type Weigh = (text: string) => Weight;

/** One classifier per language for all calls: the patterns are long. */
const weighs = new WeakMap<Language, Weigh>();

export function weighIn(language: Language): Weigh {
  const weigh = weighs.get(language) ?? createWeigh(language.file.overlap);
  weighs.set(language, weigh);
  return weigh;
}

function createWeigh({ back_channels: backChannels, stop_words: stopWords }: LanguageFile['overlap']): Weigh {
  const phrases = plainPhrases(backChannels);
  const begun = phrases.flatMap(beginnings).join('|');
  const listening = new RegExp(`^(?:(?:${phrases.join('|')})(?: |$))*(?:${begun})?$`);
  const stopping = new RegExp(`(?:^| )(?:${plainPhrases(stopWords).join('|')})(?: |$)`);
  return (text) => {
    const words = plainText(text).trimEnd();
    if (words === '') return 'none';
    if (listening.test(words)) return 'back_channel';
    return stopping.test(words) ? 'stop' : 'words';
  };
}

/** "got" of "got it": partial words may still become a back-channel. */
function beginnings(phrase: string): string[] {
  const words = phrase.split(' ');
  return words.slice(1).map((_, count) => words.slice(0, count + 1).join(' '));
}

function plainPhrases(lists: readonly string[]): string[] {
  return lists.flatMap((list) => list.split('|')).map((phrase) => plainText(phrase).trimEnd());
}
