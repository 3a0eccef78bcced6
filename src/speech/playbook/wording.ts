import type { Wording } from './playbook-step.js';

/** What the agent says where no step has words for it. */
export const DEFAULT_WORDING: { readonly [Sentence in keyof Wording]-?: string } = {
  not_understood: 'Sorry, I did not catch that.',
  still_there: 'Are you still there?',
  cannot_hear: 'I am sorry, I cannot hear you.',
  who: '{{initial_message}}',
  goodbye: 'Thank you for your time. Goodbye.',
  do_not_call: 'I understand. I am sorry for the disturbance. Goodbye.',
  later: 'All right, another time then. Goodbye.',
  hold: 'Of course, take your time.',
  wrong_number: 'I am sorry, I have the wrong number. Goodbye.',
};
