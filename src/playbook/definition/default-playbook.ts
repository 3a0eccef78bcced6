import type { Playbook } from './playbook.js';

/* The built-in default agent of a workspace: an example that works in the sandbox without any setup. */

/** The name of the default agent. */
export const DEFAULT_AGENT_NAME = 'Receptionist';
/** The opening message of the default agent. */
export const DEFAULT_INITIAL_MESSAGE =
  'Hello {{name}}, this is the Callwright sandbox clinic, calling about your appointment tomorrow at ten.';

/** The end of a call in which the answers could not be understood. */
const NOT_UNDERSTOOD = {
  kind: 'end',
  text: 'I am sorry, I could not understand you. Please call us when it suits you. Goodbye.',
  resolution_achieved: false,
  summary: 'The agent could not understand the answers, so the appointment is not confirmed.',
} as const;

/** The conversation of the default agent, which confirms an appointment in five turns of the agent. */
export const defaultPlaybook: Playbook = {
  start: 'greet',
  steps: {
    greet: { kind: 'say', text: '{{initial_message}}', interruptible: false, next: 'good_time' },
    good_time: {
      kind: 'ask',
      text: 'Is this a good time to talk?',
      expect: {
        kind: 'yes_no',
        no: ['call me later', 'call me back', 'call back later', "i'm driving", 'in a meeting', 'at work'],
      },
      answers: { yes: 'coming', no: 'not_now' },
      retry: ['Sorry, do you have a minute? Please say yes or no.'],
      otherwise: 'not_understood',
    },
    coming: {
      kind: 'ask',
      text: 'Will you come to your appointment?',
      expect: { kind: 'yes_no', no: ['cancel', 'reschedule', 'change it', 'change my appointment'] },
      save_as: 'coming',
      answers: { yes: 'confirmed', no: 'declined' },
      retry: ['Sorry, I did not catch that. Will you come tomorrow? Please say yes or no.'],
      otherwise: 'not_understood',
    },
    confirmed: {
      kind: 'say',
      text: 'Very good.',
      next: 'slot',
      intent: 'confirm_appointment',
      resolution_achieved: true,
      summary: '{{name|The customer}} confirmed the appointment.',
    },
    slot: {
      kind: 'ask',
      text: 'For your next visit, do you prefer the morning or the afternoon?',
      expect: {
        kind: 'choice',
        options: [
          {
            value: 'morning',
            phrases: ['morning', 'mornings', 'in the morning', 'the morning', 'before noon', 'early'],
          },
          {
            value: 'afternoon',
            phrases: ['afternoon', 'afternoons', 'in the afternoon', 'the afternoon', 'after lunch', 'later'],
          },
          {
            value: 'either',
            phrases: ['either', 'both', 'any time', "i don't mind", "it doesn't matter", 'no preference'],
          },
        ],
      },
      save_as: 'slot',
      next: 'slot_noted',
      retry: ['Sorry, which one is better for you: the morning or the afternoon?'],
      otherwise: 'reminder',
    },
    slot_noted: {
      kind: 'reply',
      to: 'slot',
      texts: { either: 'Good, any time then.' },
      text: 'Good, the {{slot}} then.',
      next: 'reminder',
      summary:
        '{{name|The customer}} confirmed the appointment and prefers this time for the next visit: {{slot}}.',
    },
    reminder: {
      kind: 'ask',
      text: 'Shall we send you a text message as a reminder?',
      expect: { kind: 'yes_no' },
      save_as: 'text_reminder',
      answers: { yes: 'closing_with_text', no: 'closing' },
      retry: ['Sorry, would you like a text message? Please say yes or no.'],
      otherwise: 'closing',
    },
    closing_with_text: {
      kind: 'end',
      text: 'We will send you a text message. Thank you, and see you tomorrow at ten. Goodbye.',
    },
    closing: { kind: 'end', text: 'All right. Thank you, and see you tomorrow at ten. Goodbye.' },
    declined: {
      kind: 'end',
      text: 'Thank you for telling us. You can call us whenever you want another appointment. Goodbye.',
      intent: 'decline_appointment',
      resolution_achieved: false,
      summary: '{{name|The customer}} will not come to the appointment.',
    },
    not_now: {
      kind: 'end',
      text: 'No problem, I will not keep you. You can call us whenever it suits you. Goodbye.',
      intent: 'not_now',
      resolution_achieved: false,
      summary: '{{name|The customer}} had no time to talk, so the appointment is not confirmed.',
    },
    not_understood: NOT_UNDERSTOOD,
  },
};
