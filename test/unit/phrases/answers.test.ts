import { readValue } from '#playbook/values/value.js';
import {
  question,
  questionFor,
  surroundings,
  surroundingsOf,
  testPhrases,
  written,
} from '#test/support/phrases.js';

const QUESTIONS = {
  'yes-no.yaml': questionFor('yes_no'),
  'choices.yaml': question,
  'days.yaml': questionFor('date'),
  'times.yaml': questionFor('time'),
  'numbers.yaml': questionFor('number'),
  'phone-numbers.yaml': questionFor('phone_number'),
  'names.yaml': questionFor('name'),
};

/** What a reply answers to a question: the value as the API keeps it, `nothing`, or `not possible`. */
for (const [file, usual] of Object.entries(QUESTIONS))
  testPhrases(file, { question: usual, ...surroundings }, (text, group) =>
    written(readValue(text, group.question, surroundingsOf(group))),
  );
