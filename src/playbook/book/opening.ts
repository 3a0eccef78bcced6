import { sentencesOf } from '#speech/sentences.js';
import type { Playbook } from './playbook.js';

/**
 * What a playbook says before it asks anything: its first step, or the opening message where that says nothing.
 * @param fill puts values in the place of variables
 */
export function openingOf({ start, steps }: Playbook, fill: (text: string) => string): string {
  const first = steps[start]!;
  if (first.kind === 'say') return fill(first.text);
  const told = sentencesOf(fill(first.kind === 'ask' ? first.text : '{{initial_message}}'));
  return told.filter((sentence) => !sentence.endsWith('?')).join(' ');
}
