import { z } from 'zod';
import { actionableItems } from '#analysis/actionable-items.js';
import { said } from '#test/contracts/analysis.js';
import { testPhrases } from '#test/support/phrases.js';

/** What is to be done after a call in which somebody says so, or `nothing`. */
testPhrases('actions.yaml', { speaker: z.enum(['agent', 'customer']) }, (text, { speaker }) => {
  const [item] = actionableItems([said(speaker, text)], (words) => words.split(/(?<=[.!?]) /));
  return item ?? 'nothing';
});
