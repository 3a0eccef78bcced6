import type { z } from 'zod';
import type { Sentences } from '#language/languages/language.js';
import { closedObject } from './closed-object.js';
import { spokenText } from './step-fields.js';

/**
 * The schema of a playbook's own sentences that belong to no step ("I did not understand"). A sentence that is missing
 * is the standard one.
 */
export const wording = closedObject({
  not_understood: spokenText.nullish().meta({ description: 'Before a question that was not understood.' }),
  not_possible: spokenText
    .nullish()
    .meta({ description: 'Before a question whose answer was understood but is outside its limits.' }),
  again: spokenText.nullish().meta({ description: 'Before a question whose answer was said back wrongly.' }),
  corrected: spokenText.nullish().meta({ description: 'To a caller who changes an earlier answer.' }),
  still_there: spokenText.nullish().meta({ description: 'To a caller who says nothing.' }),
  cannot_hear: spokenText.nullish().meta({ description: 'To a caller who still says nothing.' }),
  nobody_there: spokenText.nullish().meta({
    description: 'The last words to a caller who goes on saying nothing; the call ends with them.',
  }),
  who: spokenText.nullish().meta({ description: 'To a caller who asks who is calling, and why.' }),
  goodbye: spokenText.nullish().meta({ description: 'To a caller who says goodbye.' }),
  do_not_call: spokenText.nullish().meta({ description: 'To a caller who wants no more calls.' }),
  later: spokenText.nullish().meta({ description: 'To a caller who wants to talk another time.' }),
  later_at: spokenText
    .nullish()
    .meta({ description: 'To a caller who says when, which is `{{call_back_at}}`.' }),
  no_number: spokenText
    .nullish()
    .meta({ description: 'To a caller who wants to be called again, and hides the number to call.' }),
  time_passed: spokenText
    .nullish()
    .meta({ description: 'To a caller who wants to be called at a time that has passed.' }),
  call_back_when: spokenText
    .nullish()
    .meta({ description: 'Behind `time_passed`, where no step asks for another time.' }),
  hold: spokenText.nullish().meta({ description: 'To a caller who asks for a moment.' }),
  person: spokenText.nullish().meta({
    description: 'To a caller who wants to talk to a person, where `anywhere` has no step for it.',
  }),
  not_connected: spokenText
    .nullish()
    .meta({ description: 'To a caller who was to be connected with somebody, and cannot be.' }),
  returned: spokenText.nullish().meta({
    description: 'To a caller who talked with somebody else, and is with the agent again.',
  }),
  wrong_number: spokenText.nullish().meta({ description: 'To a caller who is somebody else.' }),
}).meta({
  id: 'PlaybookWording',
  description: 'Sentences that belong to no step. Without them the agent uses its own, in its language.',
  examples: [{ goodbye: 'Thank you for your time. Goodbye.' }],
});

export type Wording = z.output<typeof wording>;

/**
 * The default of a sentence: the standard sentence of the language. `who` has none: to a caller who asks who is
 * calling, the agent repeats its opening message.
 */
export function defaultWording(sentence: keyof Wording, sentences: Sentences): string {
  return sentence === 'who' ? '{{initial_message}}' : sentences[sentence];
}
