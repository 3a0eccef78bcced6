import { expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { readChoice } from '#playbook/answers/choice.js';

const OPTIONS = [
  { value: 'pizza', phrases: ['pizza'] },
  { value: 'pasta', phrases: ['pasta', 'spaghetti'] },
  { value: 'morning', phrases: ['before noon'] },
];

it.each([
  "I'm allergic to pasta",
  'I hate the pizza',
  "I can't stand spaghetti",
  'last time we had pizza',
  'what kind of pizza',
  'is the pasta fresh?',
  'you called this morning',
  'I phoned you in the morning',
])('speaks of one, and chooses none: %s', (text) => expect(readChoice(wordsOf(text), OPTIONS)).toBeNull());

it.each([
  ["I'm allergic to pasta, so pizza", 'pizza'],
  ['last time we had pizza, this time pasta', 'pasta'],
  ['is the morning okay?', 'morning'],
  ['is the pizza still available', 'pizza'],
  ['the pizza, is it fresh?', 'pizza'],
  ['I love pasta', 'pasta'],
  ['I called to order the pizza', 'pizza'],
  ['in the morning', 'morning'],
])('chooses: %s', (text, value) => expect(readChoice(wordsOf(text), OPTIONS)).toBe(value));
