import { wordsOf } from '#language/words.js';
import { testPhrases } from '#test/support/phrases.js';

/** What a recogniser writes has the same words as what is meant. */
testPhrases('words.yaml', {}, (text, { expected }) => {
  const words = wordsOf(text).join(' ');
  return words === wordsOf(expected).join(' ') ? expected : words;
});
