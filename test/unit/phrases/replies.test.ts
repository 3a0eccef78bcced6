import { z } from 'zod';
import { interpret, type Interpretation } from '#playbook/understanding/interpret.js';
import { question, questionFor, surroundings, surroundingsOf, testPhrases } from '#test/support/phrases.js';

const QUESTIONS = {
  'replies.yaml': questionFor('yes_no'),
  'read-backs.yaml': question,
  'messages.yaml': questionFor('anything'),
};

const context = {
  ...surroundings,
  /** The answer that was said back and waits for a yes. */
  said_back: z.string().optional(),
  /** The question before, and its answer. */
  before: z.object({ question, answer: z.string() }).optional(),
  /** The question of yes or no that was answered before, and its answer. */
  settled: z.object({ name: z.string(), asked: z.string(), answer: z.enum(['yes', 'no']) }).optional(),
};

/**
 * What a reply means: `answer VALUE`, `correction VALUE` (of an earlier answer), `confirmed` or `denied` (what was said
 * back), `goodbye`, `later` (with the moment, where one is named), `do_not_call`, `wrong_number`, a request (`hold`,
 * `repeat`, `who`, `person`), or `unclear`. `, goodbye` follows what is said along with a goodbye. `no correction` is
 * anything but one.
 */
for (const [file, usual] of Object.entries(QUESTIONS))
  testPhrases(file, { question: usual, ...context }, (text, group) => {
    const { before, settled } = group;
    const meaning = interpret(
      { text, confidence: 0.9 },
      {
        ...surroundingsOf(group),
        expectation: group.question,
        pending: group.said_back ?? null,
        earlier: before?.question ?? null,
        earlierValue: before?.answer ?? null,
        retractable: settled ? [settledYesNo(settled)] : [],
        minConfidence: 0.5,
      },
    );
    if (group.expected === 'no correction' && meaning.kind !== 'correction') return group.expected;
    return written(meaning);
  });

function settledYesNo({ name, asked, answer }: { name: string; asked: string; answer: 'yes' | 'no' }) {
  return { name, asked, expectation: { kind: 'yes_no' } as const, value: answer, isLast: true };
}

function written(meaning: Interpretation): string {
  if (meaning.kind === 'leaving') {
    const moment = meaning.moment?.toFormat("yyyy-MM-dd'T'HH:mm");
    return moment === undefined ? meaning.reason : `${meaning.reason} ${moment}`;
  }
  const value = 'value' in meaning ? ` ${meaning.value}` : '';
  const goodbye = 'leaving' in meaning && meaning.leaving ? ', goodbye' : '';
  return meaning.kind + value + goodbye;
}
