import type { Playbook } from './playbook.js';
import type { PlaybookStep } from '#playbook/steps/playbook-step.js';

/**
 * The conversation of an agent that has an opening message and nothing else. It fits any message: the agent says it,
 * takes a note of what the caller wants to pass on, thanks and ends. A message that is a question is answered first.
 */
export function genericPlaybook(initialMessage: string): Playbook {
  const asksItself = /\?\s*$/.test(initialMessage);
  const opening: Record<string, PlaybookStep> = asksItself
    ? {
        opening: {
          kind: 'ask',
          text: '{{initial_message}}',
          expect: { kind: 'anything' },
          save_as: 'first_answer',
          next: 'noted_first',
          otherwise: 'anything_to_pass_on',
          max_attempts: 2,
        },
        noted_first: { kind: 'say', text: 'Thank you.', next: 'anything_to_pass_on' },
      }
    : {
        opening: {
          kind: 'say',
          text: '{{initial_message}}',
          next: 'anything_to_pass_on',
          interruptible: false,
        },
      };
  return { start: 'opening', steps: { ...opening, ...NOTE_TAKING } };
}

const NOTE_TAKING: Record<string, PlaybookStep> = {
  anything_to_pass_on: {
    kind: 'ask',
    text: 'Is there anything you would like me to pass on?',
    expect: { kind: 'anything' },
    save_as: 'message',
    answers: { yes: 'take_message', no: 'no_message' },
    next: 'message_taken',
    retry: ['Sorry, would you like to leave a message? Please say yes or no.'],
    otherwise: 'not_understood',
    resolution_achieved: false,
  },
  take_message: {
    kind: 'ask',
    text: 'What shall I pass on?',
    expect: { kind: 'anything' },
    save_as: 'message',
    next: 'message_taken',
    retry: ['Sorry, could you say that once more, in a few words?'],
    max_attempts: 2,
    otherwise: 'not_understood',
  },
  message_taken: {
    kind: 'end',
    text: 'Thank you, I have made a note of that. Goodbye.',
    intent: 'leave_message',
    resolution_achieved: true,
    summary: '{{name|The customer}} left a message: {{message}}',
  },
  no_message: {
    kind: 'end',
    text: 'Thank you for your time. Goodbye.',
    intent: 'no_message',
    resolution_achieved: true,
    summary: '{{name|The customer}} heard the message and had nothing to pass on.',
  },
  not_understood: {
    kind: 'end',
    text: 'I am sorry, I could not understand you. Thank you for your time. Goodbye.',
    resolution_achieved: false,
    summary: 'The agent gave its message but could not understand the answer.',
  },
};
