import { z } from 'zod';
import { speakableText } from '#speech/speakable/speakable-text.js';
import { testPhrases } from '#test/support/phrases.js';

const shape = {
  /** The language of the agent, where its country matters. */
  locale: z.string().default(''),
};

/** What is written, as the built-in voice says it. */
testPhrases('spoken-texts.yaml', shape, (text, { locale }) =>
  speakableText(text, { language: locale, letters: 'plain' }),
);
