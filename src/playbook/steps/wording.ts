import type { z } from 'zod';
import { closedObject } from './closed-object.js';
import { spokenText } from './step-fields.js';

/** Sentences that belong to no step, as a playbook may word them. */
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
  description: 'Sentences that belong to no step. Without them the agent uses its own, in English.',
  examples: [{ goodbye: 'Thank you for your time. Goodbye.' }],
});

export type Wording = z.output<typeof wording>;

/** What the agent says where no step has words for it. */
export const DEFAULT_WORDING: { readonly [Sentence in keyof Wording]-?: string } = {
  not_understood: 'Sorry, I did not catch that.',
  not_possible: 'I am sorry, that is not possible.',
  again: 'Sorry about that.',
  corrected: 'Sorry, my mistake.',
  still_there: 'Are you still there?',
  cannot_hear: 'I am sorry, I cannot hear you.',
  nobody_there: 'I still cannot hear you, so I will hang up now. Goodbye.',
  who: '{{initial_message}}',
  goodbye: 'Thank you for your time. Goodbye.',
  do_not_call: 'I understand. I am sorry for the disturbance. Goodbye.',
  later: 'All right, another time then. Goodbye.',
  later_at: 'All right, you will hear from us {{call_back_at}}. Goodbye.',
  no_number: 'I am sorry, your number is hidden, so we cannot call you. Please call us again. Goodbye.',
  time_passed: 'I am sorry, that time has passed.',
  call_back_when: 'When shall we call you?',
  hold: 'Of course, take your time.',
  person: 'I am sorry, there is nobody here but me, an automatic assistant.',
  not_connected: 'I am sorry, I could not connect you.',
  returned: 'I am back with you. Is there anything else that I can do for you?',
  wrong_number: 'I am sorry, I have the wrong number. Goodbye.',
};
