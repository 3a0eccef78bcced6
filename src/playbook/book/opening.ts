import { sentencesOf } from '#speech/sentences.js';
import type { Playbook } from './playbook.js';

/**
 * What a playbook says before its first question: the text of its first step, or the opening message.
 * @param fill replaces variables in a text by their values
 */
export function openingOf({ start, steps }: Playbook, fill: (text: string) => string): string {
  const first = steps[start]!;
  if (first.kind === 'say') return fill(first.text);
  const told = sentencesOf(fill(first.kind === 'ask' ? first.text : '{{initial_message}}'));
  return told.filter((sentence) => !sentence.endsWith('?')).join(' ');
}
