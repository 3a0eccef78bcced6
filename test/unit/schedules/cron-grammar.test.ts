import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCron } from '#schedules/recurrence/cron-grammar.js';
import { Recurrence } from '#schedules/recurrence/recurrence.js';
import { describeCron } from '#schedules/recurrence/describe-cron.js';
import { cases } from '#test/support/tier.js';

const isRead = (text: string) => readCron(text).ok;
const meaning = (text: string) => {
  const reading = readCron(text);
  return reading.ok ? reading.fields.expression : reading.message;
};

describe('an expression', () => {
  it.each([
    ['* * * * *', '* * * * *'],
    ['*/1 */1 * * *', '* * * * *'],
    ['0 9 * * MON-FRI', '0 9 * * 1,2,3,4,5'],
    ['0 9 * jan,JUL fri-sun', '0 9 * 1,7 0,5,6'],
    ['05 00 1-3 * 7', '5 0 1,2,3 * 0'],
    ['*/20 8-18/5 * * *', '0,20,40 8,13,18 * * *'],
    ['30 2 L * *', '30 2 L * *'],
    ['0 0 * * 5L', '0 0 * * 5L'],
    ['0 0 * * friL', '0 0 * * 5L'],
    ['0 0 * * 7#2', '0 0 * * 0#2'],
    ['0 0 * * MON#1', '0 0 * * 1#1'],
    ['0 0 29 2 *', '0 0 29 2 *'],
    ['0 0 30 2 MON', '0 0 30 2 1'],
    ['0 0 31 1,2 *', '0 0 31 1,2 *'],
    ['*/60 */24 */31 */12 */7', '0 0 1 1 0'],
    ['  0  9\t* * * ', '0 9 * * *'],
    ['0 0 * * 0-7', '0 0 * * 0,1,2,3,4,5,6'],
    ['0 0 * * SUN-TUE', '0 0 * * 0,1,2'],
  ])('%j means %j', (text, expression) => {
    expect(meaning(text)).toBe(expression);
  });

  it.each([
    '',
    ' ',
    '* * * *',
    '* * * * * *',
    '0 0 * * * 2026',
    '@daily',
    '@reboot',
    'H * * * *',
    '? * * * *',
    '0 0 ? * 1',
    '0 0 15W * *',
    '0 0 LW * *',
    '0 0 L-3 * *',
    '5/15 * * * *',
    '30-10 * * * *',
    '0 0 * * FRI-MON',
    '0 0 * * SAT-MON',
    '0 0 * DEC-JAN *',
    '1,,2 * * * *',
    ',1 * * * *',
    '1, * * * *',
    '1,1 * * * *',
    '1,01 * * * *',
    '0 0 * * 0,7',
    '0 0 * * MON,1',
    '*,5 * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 0 *',
    '* * * 13 *',
    '* * * * 8',
    '*/0 * * * *',
    '*/61 * * * *',
    '*/100 * * * *',
    '* */25 * * *',
    '1-5/0 * * * *',
    '-5 * * * *',
    '1-2-3 * * * *',
    '1.5 * * * *',
    '+1 * * * *',
    '0 0 * * MONDAY',
    '0 0 * * 1#6',
    '0 0 * * 1#0',
    '0 0 * * 1#1,2#1',
    '0 0 * * L',
    '0 0 * * 8L',
    '0 0 L,15 * *',
    '0 0 30 2 *',
    '0 0 31 4,6,9,11 *',
    '0 0 30-31 FEB *',
    '0 9 * * *; drop',
    '０ 9 * * *',
    '0 9 * * ſun',
    '0 9 * * frı',
    '0 9 * * *\u00a0',
    '0 9 * * *\n',
    `${'1'.repeat(300)} * * * *`,
  ])('%j is refused', (text) => {
    expect(isRead(text)).toBe(false);
  });

  it('that is refused says which field it is', () => {
    expect(meaning('0 25 * * *')).toContain('hour');
    expect(meaning('0 0 * * 1#6')).toContain('day-of-week');
  });
});

/** The grammar as one pattern: a text that it does not match must be refused. */
const NAME = '(?:SUN|MON|TUE|WED|THU|FRI|SAT|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)';
const VALUE = `(?:\\d{1,2}|${NAME})`;
const ITEM = `(?:\\*(?:/\\d{1,2})?|${VALUE}(?:-${VALUE}(?:/\\d{1,2})?)?)`;
const FIELD = `(?:${ITEM}(?:,${ITEM})*|L|(?:[0-7]|${NAME})(?:L|#[1-5]))`;
const SHAPE = new RegExp(`^\\s*${FIELD}(?:[ \\t]+${FIELD}){4}\\s*$`, 'i');

/** Time to read a text: the minimum of several runs if the first was slow, as machines are busy. */
function readingMs(text: string): number {
  let quickestMs = Infinity;
  for (let i = 0; i < 50 && quickestMs >= 1; i++) {
    const before = performance.now();
    readCron(text);
    quickestMs = Math.min(quickestMs, performance.now() - before);
  }
  return quickestMs;
}

describe('in words', () => {
  it.each([
    ['0\t9 *  * MON-FRI', 'At 09:00, Monday through Friday'],
    ['0 9 * * fril', 'At 09:00, on the last Friday of the month'],
    [' 0 9 l * * ', 'At 09:00, on the last day of the month'],
    ['05 09 * * 07', 'At 09:05, only on Sunday'],
    ['0 9 * * 01-07', 'At 09:00, Monday through Sunday'],
  ])('%j is: %s', (expression, words) => {
    expect(isRead(expression)).toBe(true);
    expect(describeCron(expression)).toBe(words);
  });
});

describe('20,000 strings', () => {
  const token = fc.constantFrom(
    ...'* 0 1 5 7 9 15 23 30 59 60 99 MON fri SUN JAN DEC L W H ? # #2 - , / /2 */5 1-5 10-20/3 1,15 @ .'.split(
      ' ',
    ),
    ' ',
    '\n',
  );
  const field = fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom('*', '0', '5', '*/5', '1-5', '1,2', '12', '9-17/2') },
    { weight: 3, arbitrary: fc.array(token, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
  );
  const text = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.array(field, { minLength: 5, maxLength: 5 }), fc.constantFrom(' ', ' ', '  ', '\t'))
        .map(([fields, gap]) => fields.join(gap)),
    },
    { weight: 1, arbitrary: fc.array(field, { maxLength: 7 }).map((fields) => fields.join(' ')) },
    { weight: 1, arbitrary: fc.string({ maxLength: 300 }) },
  );

  it('hold nothing that is accepted outside of the grammar, and what is accepted is due some time', () => {
    let accepted = 0;
    fc.assert(
      fc.property(text, (candidate) => {
        expect(readingMs(candidate), candidate).toBeLessThan(1);
        const reading = readCron(candidate);
        if (!reading.ok) return;
        accepted += 1;
        expect(candidate).toMatch(SHAPE);
        expect(candidate.length).toBeLessThanOrEqual(256);
        // The normalised expression means the same.
        expect(meaning(reading.fields.expression)).toBe(reading.fields.expression);
        expect(describeCron(candidate)).not.toBe('');
        if (accepted % 10 === 0)
          expect(new Recurrence(candidate, 'UTC').next(Date.UTC(2026, 10, 21)), candidate).not.toBeNull();
      }),
      { numRuns: cases(500, 20_000) },
    );
    expect(accepted).toBeGreaterThan(cases(20, 1_000));
  });

  it('take less than a millisecond each, the worst of them included', () => {
    const nasty = [
      '1,'.repeat(120),
      `${'1-5/2,'.repeat(40)}x * * * *`,
      ' '.repeat(256),
      `${'*/5,'.repeat(60)} * * * *`,
    ];
    for (const candidate of nasty) expect(readingMs(candidate), candidate.slice(0, 20)).toBeLessThan(1);
  });
});
