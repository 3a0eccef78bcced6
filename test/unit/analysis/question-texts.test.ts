import { expect, it } from 'vitest';
import { actionableItems } from '#analysis/actionable-items.js';
import { QuestionTexts } from '#analysis/question-texts.js';
import { said } from '#test/contracts/analysis.js';

it('leaves out what a playbook says in its questions, whole, filled in or cut short', () => {
  const asked = new QuestionTexts([
    'Please say: I will come, or call me back.',
    'We will book {{day}} for {{name}} then, is that right?',
  ]);
  const itemsOf = (text: string) =>
    actionableItems([said('agent', text)], (words) => words.split(/(?<=[.!?]) /), asked);
  expect(itemsOf('Hello Ada. Please say: I will come, or call me back.')).toEqual([]);
  expect(itemsOf('Please say: I will come, or')).toEqual([]);
  expect(itemsOf('We will book Tuesday, noon, for Ada then, is that right?')).toEqual([]);
  expect(itemsOf('We will book you in. We will send the form.')).toEqual([
    'Book the customer in',
    'Send the form',
  ]);
});
