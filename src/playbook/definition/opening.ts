import { sentencesOf } from '#speech/sentences.js';
import type { Playbook } from './playbook.js';

/**
 * The sentences by which a playbook introduces the call: the text of a first step that says something; the sentences of
 * a first question that ask nothing; else those of the opening message. `PlaybookFlow` says them again to a person who
 * has just come to the phone.
 * @param fill replaces variables in a text by their values
 */
export function openingTextOf({ start, steps }: Playbook, fill: (text: string) => string): string {
  const first = steps[start]!;
  if (first.kind === 'say') return fill(first.text);
  const sentences = sentencesOf(fill(first.kind === 'ask' ? first.text : '{{initial_message}}'));
  return sentences.filter((sentence) => !sentence.endsWith('?')).join(' ');
}
