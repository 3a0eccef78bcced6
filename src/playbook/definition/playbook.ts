import { z } from 'zod';
import { closedObject } from '#playbook/steps/closed-object.js';
import { playbookFaults } from '#playbook/checks/playbook-checks.js';
import { step } from '#playbook/steps/playbook-step.js';
import { stepName } from '#playbook/steps/step-fields.js';
import { wording } from '#playbook/steps/wording.js';

/** The most steps that a playbook may have. */
const MAX_STEPS = 100;

/** Steps for requests that callers may make at any question. */
const anywhere = closedObject({
  goodbye: stepName.nullish().meta({ description: 'For a caller who says goodbye.' }),
  later: stepName
    .nullish()
    .meta({ description: 'For a caller who wants to talk another time and does not say when.' }),
  do_not_call: stepName
    .nullish()
    .meta({ description: 'For a caller who wants no more calls; the number is suppressed in any case.' }),
  wrong_number: stepName.nullish().meta({ description: 'For a caller who is somebody else.' }),
  person: stepName.nullish().meta({ description: 'For a caller who wants to talk to a person.' }),
}).meta({
  id: 'PlaybookAnywhere',
  description:
    'Steps for what callers may say at any question; each is taken once in a call. Without them the agent says ' +
    'its sentence of `wording` and ends, or goes on with its question where a person is asked for.',
  examples: [{ person: 'transfer', later: 'ask_when' }],
});

/**
 * The schema of a playbook: a conversation as data, in a format of our own. Named steps each name the next step. A
 * playbook is checked as a whole when it is saved, by the rules of `playbook-checks.ts`. It refuses unknown fields,
 * because a misspelt `retry` would only be noticed in the middle of a call.
 */
export const playbookSchema = closedObject({
  start: stepName.meta({ description: 'The first step.', examples: ['greet'] }),
  steps: z.record(stepName, step).refine((steps) => Object.keys(steps).length <= MAX_STEPS, {
    message: `has more than ${MAX_STEPS} steps`,
  }),
  anywhere: anywhere.nullish(),
  wording: wording.nullish(),
})
  .superRefine((playbook, context) => {
    for (const fault of playbookFaults(playbook)) {
      context.addIssue({ code: 'custom', path: [...fault.path], message: fault.message });
    }
  })
  .meta({
    id: 'Playbook',
    description:
      'A conversation as data: named steps that say, ask, reply, branch and end. Every playbook ' +
      'that is accepted reaches an end, whatever the caller says. Unknown fields are refused, so ' +
      'that a misspelt one does not go unnoticed.',
    examples: [
      {
        start: 'greet',
        steps: {
          greet: { kind: 'say', text: '{{initial_message}}', next: 'coming' },
          coming: {
            kind: 'ask',
            text: 'Will you come?',
            expect: { kind: 'yes_no' },
            save_as: 'coming',
            answers: { yes: 'confirmed', no: 'declined' },
            retry: ['Sorry, will you come to your appointment: yes or no?'],
            otherwise: 'unclear',
          },
          confirmed: {
            kind: 'end',
            text: 'Very good. See you then!',
            intent: 'confirm_appointment',
            resolution_achieved: true,
          },
          declined: {
            kind: 'end',
            text: 'Thank you for telling us. Goodbye.',
            intent: 'decline_appointment',
            resolution_achieved: false,
          },
          unclear: {
            kind: 'end',
            text: 'I am sorry, I did not understand. Goodbye.',
            resolution_achieved: false,
          },
        },
      },
    ],
  });

export type Playbook = z.output<typeof playbookSchema>;
