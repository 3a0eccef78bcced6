/** An agent with one question, so that a call takes a few seconds. */
export const SHORT_AGENT = {
  name: 'Front desk',
  voice: 'rms',
  initial_message: 'Do you have time tomorrow?',
  playbook: {
    start: 'time',
    steps: {
      time: {
        kind: 'ask',
        text: '{{initial_message}}',
        expect: { kind: 'yes_no' },
        answers: { yes: 'thanks', no: 'goodbye' },
        otherwise: 'goodbye',
      },
      thanks: { kind: 'end', text: 'Thank you.', resolution_achieved: true },
      goodbye: { kind: 'end', text: 'Goodbye.', resolution_achieved: false },
    },
  },
};
