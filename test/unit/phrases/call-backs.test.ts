import { DateTime } from 'luxon';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { interpret } from '#playbook/understanding/interpret.js';
import { readCallBackTime } from '#playbook/values/times/read-call-back-time.js';
import { testPhrases } from '#test/support/phrases.js';

/** A Saturday, half past twelve. */
const NOW = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });
const QUESTIONS: readonly PlaybookExpectation[] = [
  { kind: 'yes_no' },
  { kind: 'date' },
  { kind: 'choice', options: [{ value: 'tea', phrases: ['black tea'] }] },
];

/** Whether a caller wants another call, at every kind of question: `wanted`, `not wanted`, or another way to leave. */
testPhrases('call-backs.yaml', {}, (text) => {
  const ways = QUESTIONS.map((expectation) => {
    const reading = { expectation, minConfidence: 0.5, now: NOW, region: 'US' } as const;
    const meaning = interpret({ text, confidence: 0.9 }, reading);
    if (meaning.kind !== 'leaving') return 'not wanted';
    return meaning.reason === 'later' ? 'wanted' : meaning.reason;
  });
  return [...new Set(ways)].join(', ');
});

/** When a caller wants to be called back: the local time, or `nothing`. */
testPhrases('call-back-times.yaml', {}, (text) => {
  const moment = readCallBackTime(text, NOW);
  return moment?.toFormat("yyyy-MM-dd'T'HH:mm") ?? 'nothing';
});
