import { sentimentOf } from '#analysis/sentiment.js';
import { testPhrases } from '#test/support/phrases.js';

/** The mood of a caller who says so: `positive`, `negative` or `neutral`. */
testPhrases('moods.yaml', {}, (text) => sentimentOf([text]));
