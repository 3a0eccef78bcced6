import { expect } from 'vitest';
import { createFliteSpeaking } from '../../src/speech/flite/flite-speaking.js';
import { createSpeechPool } from '../../src/speech/threads/speech-pool.js';
import { callOnce, callWithSummary, transcriptOf, wordsOf, type Requests } from './call-story.js';
import { createMemoryLog } from './memory-log.js';
import { spoken } from './telephone-line.js';

/** An agent with one question, so that a whole call takes a few seconds. */
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

/** The answer to its question, spoken. */
export async function sayYes(): Promise<Int16Array> {
  const pool = createSpeechPool({ threads: 1, log: createMemoryLog().log });
  const says = await spoken(createFliteSpeaking({ pool }), 'yes I have time', { voice: 'rms' });
  await pool.close();
  return says;
}

/** The call was talked through: question, answer and thanks, and there is a recording of it. */
export async function expectShortTalk(request: Requests, callId: string, provider: string): Promise<void> {
  await callOnce(request, callId, { timeoutMs: 20_000 });
  expect(await callWithSummary(request, callId)).toMatchObject({
    ...{ status: 'completed', ended_reason: 'agent_hangup', provider },
    metrics: { resolution_achieved: true },
  });
  const entries = await transcriptOf(request, callId);
  const said = entries.map(({ speaker, text }) => `${speaker}: ${wordsOf(text)}`);
  // Every word of the answer is a matter of the recogniser, and of a machine that has time for it.
  const answer = expect.stringMatching(/^customer: yes\b/);
  expect(said).toEqual(['agent: do you have time tomorrow', answer, 'agent: thank you']);
}
