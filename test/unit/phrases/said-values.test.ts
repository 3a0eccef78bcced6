import { spokenValue } from '#playbook/values/value.js';
import { question, surroundings, surroundingsOf, testPhrases } from '#test/support/phrases.js';

/** An answer as the API keeps it, as the agent says it. */
testPhrases('said-values.yaml', { question, ...surroundings }, (value, group) =>
  spokenValue(value, group.question, surroundingsOf(group)),
);
