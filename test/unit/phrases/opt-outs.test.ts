import { DateTime } from 'luxon';
import { wordsOf } from '#language/words.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import { mayBeOptOut } from '#playbook/contact-preferences/possible-opt-out.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { interpret } from '#playbook/understanding/interpret.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';
import { question, testPhrases } from '#test/support/phrases.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';

const NOW = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });
const QUESTIONS: readonly PlaybookExpectation[] = [
  { kind: 'yes_no' },
  { kind: 'date' },
  { kind: 'choice', options: [{ value: 'tea', phrases: ['black tea'] }] },
];

/** Whether a caller is suppressed, asked whether no more calls are wanted, or neither. */
for (const file of ['opt-outs.yaml', 'no-opt-outs.yaml', 'opt-out-doubts.yaml'])
  testPhrases(file, { question: question.optional() }, async (text, group) => {
    if (isOptOut(text)) return isSuppressedAtEach(text) ? 'suppressed' : 'suppressed at some questions';
    if (group.expected === 'not suppressed') return group.expected;
    const isAsked = group.question ? await isAskedAt(group.question, text) : mayBeOptOut(wordsOf(text));
    return isAsked ? 'asked' : 'not asked';
  });

function isSuppressedAtEach(text: string): boolean {
  return QUESTIONS.every((expectation) => {
    const reading = { expectation, now: NOW, region: 'US', minConfidence: 0.5 } as const;
    const meaning = interpret({ text, confidence: 0.9 }, reading);
    return meaning.kind === 'leaving' && meaning.reason === 'do_not_call';
  });
}

/** Whether the dialogue asks a caller who answers so whether no more calls are wanted. */
async function isAskedAt(expectation: PlaybookExpectation, text: string): Promise<boolean> {
  const playbook: Playbook = {
    start: 'first',
    steps: {
      first: { kind: 'ask', text: 'Will you come?', expect: expectation, next: 'bye', otherwise: 'bye' },
      bye: { kind: 'end', text: 'Bye.' },
    },
  };
  const session = createPlaybooks().open(briefOf({ playbook }));
  await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  const turn = session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed);
  const said = await thoughtsOf(turn);
  return said.some(
    (output) => output.kind === 'say' && output.text === 'Do you want us to stop calling this number?',
  );
}
