import type { Sentences } from '#language/languages/language.js';
import type { Playbook } from './playbook.js';
import type { PlaybookStep } from '#playbook/steps/playbook-step.js';

/**
 * The playbook of an agent that has none of its own: the agent says its opening message, asks whether the caller wants
 * to leave a message, takes it, thanks and ends. If the opening message is a question, the agent takes its answer
 * first. `createPlaybookDialogue` uses it for agents without a playbook.
 * @param sentences the standard sentences in the language of the agent
 */
export function genericPlaybook(initialMessage: string, sentences: Sentences): Playbook {
  const endsWithQuestion = /\?\s*$/.test(initialMessage);
  const opening: Record<string, PlaybookStep> = endsWithQuestion
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
        noted_first: { kind: 'say', text: sentences.thank_you, next: 'anything_to_pass_on' },
      }
    : {
        opening: {
          kind: 'say',
          text: '{{initial_message}}',
          next: 'anything_to_pass_on',
          interruptible: false,
        },
      };
  return { start: 'opening', steps: { ...opening, ...noteTaking(sentences) } };
}

/** The steps after the opening message: ask for a note, take it, and end. */
const noteTaking = (sentences: Sentences): Record<string, PlaybookStep> => ({
  anything_to_pass_on: {
    kind: 'ask',
    text: sentences.anything_to_pass_on,
    expect: { kind: 'anything' },
    save_as: 'message',
    answers: { yes: 'take_message', no: 'no_message' },
    next: 'message_taken',
    retry: [sentences.leave_a_message],
    otherwise: 'not_understood',
    resolution_achieved: false,
  },
  take_message: {
    kind: 'ask',
    text: sentences.what_to_pass_on,
    expect: { kind: 'anything' },
    save_as: 'message',
    next: 'message_taken',
    retry: [sentences.in_a_few_words],
    max_attempts: 2,
    otherwise: 'not_understood',
  },
  message_taken: {
    kind: 'end',
    text: sentences.message_taken,
    intent: 'leave_message',
    resolution_achieved: true,
    summary: '{{name|The customer}} left a message: {{message}}',
  },
  no_message: {
    kind: 'end',
    text: sentences.no_message,
    intent: 'no_message',
    resolution_achieved: true,
    summary: '{{name|The customer}} heard the message and had nothing to pass on.',
  },
  not_understood: {
    kind: 'end',
    text: sentences.could_not_understand,
    resolution_achieved: false,
    summary: 'The agent gave its message but could not understand the answer.',
  },
});
