import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { soundAlike, soundsOf } from '#playbook/checks/sound-alike.js';

const ASK = { kind: 'ask', text: 'Well?', expect: { kind: 'yes_no' }, next: 'end', otherwise: 'end' };

/** The faults of a playbook of one question and an end, and what else is given. */
function faultsOf(ask: object, steps: object = {}, rest: object = {}): string[] {
  const draft = { start: 'ask', steps: { ask: { ...ASK, ...ask }, end: { kind: 'end' }, ...steps }, ...rest };
  const result = playbookSchema.safeParse(draft);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

function choiceOf(...options: [value: string, ...phrases: string[]][]) {
  return { expect: { kind: 'choice', options: options.map(([value, ...phrases]) => ({ value, phrases })) } };
}

describe('a saved playbook', () => {
  it.each<[string, string[], string]>([
    [
      'a limit below another',
      faultsOf({ expect: { kind: 'number', min: 5, max: 4 } }),
      'steps.ask.expect.max: is below min, so no answer counts',
    ],
    [
      'limits with no whole number between them',
      faultsOf({ expect: { kind: 'number', min: 0.2, max: 0.8 } }),
      'steps.ask.expect.max: leaves no whole number from min on; set whole to false',
    ],
    ['a text without a word', faultsOf({ text: '…😀!' }), 'steps.ask.text: holds no word to say'],
    [
      'a day that does not exist',
      faultsOf({ expect: { kind: 'date', earliest: '2026-02-31' } }),
      'steps.ask.expect.earliest: is a day that no calendar has',
    ],
    [
      'a case beyond the limits of its question',
      faultsOf(
        { expect: { kind: 'number', min: 0, max: 10 }, save_as: 'rating', next: 'judge' },
        {
          judge: { kind: 'branch', cases: [{ variable: 'rating', at_least: 11, next: 'end' }], next: 'end' },
        },
      ),
      'steps.judge.cases.0.at_least: is outside the limits of that question, so the case never holds',
    ],
    [
      'a reply to what nobody can answer',
      faultsOf(
        { save_as: 'sure', next: 'react' },
        { react: { kind: 'reply', to: 'sure', texts: { yep: 'Fine.' }, next: 'end' } },
      ),
      'steps.react.texts.yep: is no answer to that question: yes, no',
    ],
    [
      'days in the wrong order',
      faultsOf({ expect: { kind: 'date', earliest: 'today+3', latest: 'today+2' } }),
      'steps.ask.expect.latest: is before earliest, so no answer counts',
    ],
    [
      'dates in the wrong order',
      faultsOf({ expect: { kind: 'date', earliest: '2026-12-02', latest: '2026-12-01' } }),
      'steps.ask.expect.latest: is before earliest, so no answer counts',
    ],
    [
      'times in the wrong order',
      faultsOf({ expect: { kind: 'time', earliest: '18:00', latest: '08:00' } }),
      'steps.ask.expect.latest: is before earliest, so no answer counts',
    ],
    [
      'words that are never said',
      faultsOf({ retry: ['Again?', 'Once more?'], max_attempts: 2 }),
      'steps.ask.retry.1: is never said: the question is put 2 times',
    ],
    [
      'an answer where only values are',
      faultsOf({ expect: { kind: 'date' }, answers: { monday: 'end' } }),
      'steps.ask.answers.monday: cannot be: a value goes on with next, where a branch may look at it',
    ],
    [
      'a value that goes nowhere',
      faultsOf({ expect: { kind: 'date' }, next: null }),
      'steps.ask.next: is needed: the answer may be anything',
    ],
    [
      'an option that ends the call',
      faultsOf(choiceOf(['leave', 'goodbye'], ['stay', 'stay'])),
      "steps.ask.expect.options.0.phrases.0: would be taken for 'goodbye', not for 'leave'",
    ],
    [
      'an option that asks for the question',
      faultsOf(choiceOf(['again', 'say that again'], ['on', 'next one'])),
      "steps.ask.expect.options.0.phrases.0: would be taken for 'repeat', not for 'again'",
    ],
    [
      'options that sound alike',
      faultsOf(choiceOf(['a', 'fifteen'], ['b', 'fifty'])),
      "steps.ask.expect.options.1.phrases.0: sounds like 'fifteen', a phrase of 'a'",
    ],
    [
      'options that are one to the ear',
      faultsOf(choiceOf(['a', 'four'], ['b', 'for'])),
      "steps.ask.expect.options.1.phrases.0: sounds like 'four', a phrase of 'a'",
    ],
    [
      'a phrase for yes and no',
      faultsOf({ expect: { kind: 'yes_no', yes: ['bring it'], no: ['Bring it!'] } }),
      "steps.ask.expect.no.0: is already a phrase of 'yes'",
    ],
    [
      'a yes that means no',
      faultsOf({ expect: { kind: 'yes_no', no: ['Yes.'] } }),
      "steps.ask.expect.no.0: would be taken for 'yes', not for 'no'",
    ],
    [
      'a variable before its question',
      faultsOf({ text: 'Is {{day}} fine?', next: 'day' }, { day: { ...ASK, expect: { kind: 'date' } } }),
      'steps.ask.text: uses {{day}} before any step has filled it; {{day|other words}} is taken while it is not known',
    ],
    [
      'a reply to what nobody asks',
      faultsOf({ next: 'reply' }, { reply: { kind: 'reply', to: 'color', texts: {}, next: 'end' } }),
      "steps.reply.to: is the answer 'color', which no question saves",
    ],
    [
      'a call back at what is no day',
      faultsOf({ next: 'later' }, { later: { kind: 'call_back', date: 'ask' } }),
      "steps.later.date: is the answer 'ask', which no question for a date saves",
    ],
    [
      'a yes or no that is said back',
      faultsOf({ expect: { kind: 'yes_no' }, confirm: 'So you come?' }),
      'steps.ask.confirm: cannot be: a yes or no is not said back; ask another question',
    ],
    [
      'a transfer to nobody',
      faultsOf({ next: 'desk' }, { desk: { kind: 'transfer', to: 'the desk' } }),
      'steps.desk.to: is no phone number such as +14155550100',
    ],
    [
      'a transfer that may fail',
      faultsOf({ next: 'desk' }, { desk: { kind: 'transfer', to: '{{desk}}' } }),
      'steps.desk.otherwise: is needed: the variable may hold no phone number',
    ],
    [
      'a case that says nothing',
      faultsOf(
        { next: 'b' },
        { b: { kind: 'branch', cases: [{ variable: 'ask', next: 'end' }], next: 'end' } },
      ),
      'steps.b.cases.0: says nothing of the variable: needs is, at_least, at_most or known',
    ],
    [
      'a case that never holds',
      faultsOf(
        { next: 'b' },
        {
          b: {
            kind: 'branch',
            cases: [{ variable: 'x', at_least: 3, at_most: 2, next: 'end' }],
            next: 'end',
          },
        },
      ),
      'steps.b.cases.0.at_most: is below at_least, so the case never holds',
    ],
    [
      'a case for no answer',
      faultsOf(
        { next: 'b' },
        { b: { kind: 'branch', cases: [{ variable: 'ask', is: ['perhaps'], next: 'end' }], next: 'end' } },
      ),
      'steps.b.cases.0.is.0: is no answer to that question: yes, no',
    ],
    [
      'a day compared with a number',
      faultsOf(
        { expect: { kind: 'date' }, next: 'b' },
        { b: { kind: 'branch', cases: [{ variable: 'ask', at_least: 3, next: 'end' }], next: 'end' } },
      ),
      'steps.b.cases.0.at_least: must be a day such as "2026-12-31"',
    ],
    [
      'a variable of the service',
      faultsOf({ next: 's' }, { s: { kind: 'set', variables: { agent_name: 'Bob' }, next: 'end' } }),
      'steps.s.variables.agent_name: is filled by the service',
    ],
    [
      'a way out to nowhere',
      faultsOf({}, {}, { anywhere: { person: 'desk' } }),
      "anywhere.person: names the step 'desk', which does not exist",
    ],
    [
      'a circle',
      faultsOf({ next: 'ask2' }, { ask2: { ...ASK, next: 'ask' } }),
      'steps.ask.next: leads into a circle that no answer leaves',
    ],
    [
      'cases in a circle',
      faultsOf(
        { next: 'b' },
        { b: { kind: 'branch', cases: [{ variable: 'x', known: true, next: 'b' }], next: 'end' } },
      ),
      'steps.b.cases.0.next: leads back to this step without an answer, so the call would never end',
    ],
    [
      'an unknown country',
      faultsOf({ expect: { kind: 'phone_number', region: 'ZZ' } }),
      'steps.ask.expect.region: is no country such as US',
    ],
    [
      'a day that is none',
      faultsOf({ expect: { kind: 'date', earliest: 'soon' } }),
      'steps.ask.expect.earliest: is no day such as today, today+14 or 2026-12-31',
    ],
  ])('is refused for %s', (_name, faults, fault) => {
    expect(faults).toContain(fault);
  });

  it('may use a variable that a call brings, that a question before filled, or that has other words', () => {
    const day = { day: { ...ASK, expect: { kind: 'date' }, confirm: 'That is {{day}}, right?' } };
    expect(faultsOf({ text: 'Is {{day|it}} fine, {{name}}?', next: 'day' }, day)).toEqual([]);
    expect(
      faultsOf(
        { expect: { kind: 'date' }, save_as: 'when', next: 'thanks' },
        { thanks: { kind: 'say', text: '{{when}}.', next: 'end' } },
      ),
    ).toEqual([]);
  });

  it('is checked quickly, however many phrases it has', () => {
    const word = (n: number) =>
      [...n.toString(26)]
        .map((digit) => 'bcdfghjklmnpqrstvwxzaeiou'.at(parseInt(digit, 26) % 25)! + 'ala')
        .join('');
    const options = Array.from({ length: 5 }, (_, o) => ({
      value: `v${o}`,
      phrases: Array.from({ length: 30 }, (_p, at) => word(o * 30 + at + 1)),
    }));
    const ask = { ...ASK, expect: { kind: 'choice', options } };
    const steps = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`s${n}`, { ...ask, next: n < 29 ? `s${n + 1}` : 'end' }]),
    );
    const started = process.cpuUsage();
    playbookSchema.safeParse({ start: 's0', steps: { ...steps, end: { kind: 'end' } } });
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_500);
  });
});

it.each([
  ['fifteen', 'fifty', true],
  ['seventeen', 'seventy', true],
  ['phone', 'fone', true],
  ['Plan A', 'Plan B', false],
  ['red', 'bed', false],
  ['the morning', 'the afternoon', false],
  ['Monday', 'Sunday', false],
  ['option one', 'option two', false],
  ['very good', 'good', false],
  ['constructor', 'blue', false],
  ['نعم', '今日', false],
])('%s and %s sound alike: %s', (one, other, alike) => {
  expect(soundAlike(soundsOf(one), soundsOf(other))).toBe(alike);
});

describe('every documented example', () => {
  const { $defs } = z.toJSONSchema(playbookSchema, { io: 'input' }) as {
    $defs: Record<string, { examples?: unknown[] }>;
  };

  it('of a kind of step or expectation is one', () => {
    const steps = ['Say', 'Reply', 'Ask', 'Branch', 'Set', 'End', 'Transfer', 'Suppress', 'CallBack'];
    for (const kind of steps) {
      const examples = $defs[`Playbook${kind}`]?.examples ?? [];
      expect(examples.length, kind).toBeGreaterThan(0);
      for (const one of examples)
        expect(playbookSchema.shape.steps.safeParse({ one }).error?.issues ?? [], kind).toEqual([]);
    }
  });

  it.each(['reminder', 'confirmation', 'survey'])('in examples/playbooks/%s.json is accepted', (name) => {
    const url = new URL(`../../../examples/playbooks/${name}.json`, import.meta.url);
    const { playbook } = JSON.parse(readFileSync(url, 'utf8')) as { playbook: unknown };
    expect(playbookSchema.safeParse(playbook).error?.issues ?? []).toEqual([]);
  });
});
