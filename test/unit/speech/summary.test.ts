import { describe, expect, it } from 'vitest';
import { actionableItems } from '#analysis/actionable-items.js';
import type { AnalysisInput } from '#analysis/analysis.js';
import { summaryOf } from '#analysis/summary.js';
import { said } from '#test/contracts/analysis.js';

const whole = (text: string) => [text];

function summary(
  outcome: Partial<AnalysisInput['outcome'] & object>,
  rest: Partial<AnalysisInput> = {},
  keywords: readonly string[] = [],
) {
  return summaryOf({
    entries: [said('agent', 'Which day?'), said('customer', 'on tuesday')],
    answeredBy: 'person',
    outcome: { intent: null, resolutionAchieved: null, answers: {}, ...outcome },
    keywords,
    sentencesOf: whole,
    ...rest,
  });
}

describe('the summary of a call', () => {
  it.each([
    ['as the agent says them', 'Day noted.', 'Day noted. Answers: day: Tuesday, November 24th.'],
    [
      'once, in the words of the author',
      'Ada comes on Tuesday, November 24th.',
      'Ada comes on Tuesday, November 24th.',
    ],
    ['once, as they are kept', 'Ada comes on 2026-11-24.', 'Ada comes on 2026-11-24.'],
  ])('tells answers %s', (_how, author, told) => {
    const answers = { answers: { day: '2026-11-24' }, said: { day: 'Tuesday, November 24th' } };
    expect(summary({ summary: author, ...answers })).toBe(told);
  });

  it('tells what was typed in several lines once, and in one line', () => {
    const answers = { wish: 'a blue\n\nparcel', place: 'to\tmy office' };
    const told = summary(
      { summary: 'Ada wants a blue parcel.', answers },
      { entries: [said('customer', 'send it\nto my office today')] },
      ['office'],
    );
    expect(told).toBe(
      'Ada wants a blue parcel. Answers: place: to my office. The customer said: “send it to my office today.”',
    );
  });

  it.each([
    ['no', 'Nobody was at home.', 'Answers: a: no.'],
    ['2', 'A table on the 23rd.', 'Answers: a: 2.'],
    ['O’Brien (Jr.)', 'It was O’Brien (Jr.)!', ''],
    ['Zoë', 'Zoëlle called.', 'Answers: a: Zoë.'],
  ])('takes %s for told by words of its own only', (answer, author, more) => {
    expect(summary({ summary: author, answers: { a: answer } })).toBe(
      [author, more].filter(Boolean).join(' '),
    );
  });

  it('keeps what the author says of a call in which nothing was understood', () => {
    const outcome = { summary: 'The pharmacist has to call Ada' };
    expect(summary(outcome, { entries: [said('agent', 'Hello?'), said('customer', '', 0)] })).toBe(
      'The pharmacist has to call Ada. The customer spoke but could not be understood.',
    );
    expect(summary(outcome, { entries: [said('agent', 'Hello?')] })).toBe(
      'The pharmacist has to call Ada. Only the agent spoke; the customer said nothing.',
    );
  });

  it.each([
    ['silence', 'Answers: guests: 2. Then the customer no longer answered.'],
    ['caller', 'Answers: guests: 2. Then the customer hung up.'],
    ['transfer', 'Answers: guests: 2. The customer was handed over to somebody else.'],
    [null, 'Answers: guests: 2.'],
  ] as const)('tells how a call broke off: %s', (endedBy, told) => {
    expect(summary({ answers: { guests: '2' } }, { endedBy })).toBe(told);
  });

  it('does not tell that a caller hung up whose call the author has summed up', () => {
    expect(summary({ summary: 'Ada comes.' }, { endedBy: 'caller' })).toBe('Ada comes.');
    expect(summary({ summary: 'Ada comes.' }, { endedBy: 'silence' })).toBe(
      'Ada comes. Then the customer no longer answered.',
    );
  });
});

describe('what is left to do', () => {
  it.each([
    ['The manager will call you.', ['The manager will call the customer']],
    ['Thank you. Our adjuster will call you at noon.', ['Our adjuster will call the customer at noon']],
    ['I will give you your claim number.', ['Give the customer their claim number']],
    ['The parcel will be there.', []],
  ])('of “%s”', (text, items) => {
    const sentences = (words: string) => words.split(/(?<=\.) /);
    expect(actionableItems([said('agent', text)], sentences)).toEqual(items);
  });
});
