import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defaultPlaybook } from '#playbook/definition/default-playbook.js';
import { genericPlaybook } from '#playbook/definition/generic-playbook.js';
import { playbookSchema } from '#playbook/definition/playbook.js';

const QUESTION = {
  kind: 'ask',
  text: 'Well?',
  expect: { kind: 'yes_no' },
  answers: { yes: 'end', no: 'end' },
  otherwise: 'end',
};
const CHOICE = {
  ...QUESTION,
  answers: null,
  next: 'end',
  expect: optionsOf(['red', 'red', "I don't care"], ['blue', 'blue']),
};

function playbook(steps: Record<string, unknown>, start = 'ask') {
  return { start, steps: { ask: QUESTION, end: { kind: 'end' }, ...steps } };
}

function optionsOf(...options: [value: string, ...phrases: string[]][]) {
  return { kind: 'choice', options: options.map(([value, ...phrases]) => ({ value, phrases })) };
}

/** A playbook that asks to choose one of these. */
function choiceOf(...options: Parameters<typeof optionsOf>) {
  return playbook({ ask: { ...CHOICE, expect: optionsOf(...options) } });
}

/** The faults found, as `path: message`. */
function faultsOf(value: unknown): string[] {
  const result = playbookSchema.safeParse(value);
  return result.success
    ? []
    : result.error.issues.map((issue) =>
        [issue.path.join('.'), issue.code === 'unrecognized_keys' ? issue.keys : issue.message].join(': '),
      );
}

describe('a playbook that is saved', () => {
  it.each([
    ['the default agent’s', defaultPlaybook],
    ['the general one', genericPlaybook('Hello.', DEFAULT_LANGUAGES.forTag('en').sentences)],
    [
      'the general one for a question',
      genericPlaybook('How are you?', DEFAULT_LANGUAGES.forTag('en').sentences),
    ],
    ['the documented example', (playbookSchema.meta()!.examples as unknown[])[0]],
    ['the smallest one', playbook({})],
    ['a choice', playbook({ ask: CHOICE })],
  ])('is accepted: %s', (_name, value) => {
    expect(faultsOf(value)).toEqual([]);
  });

  it('comes back as it was written', () => {
    expect(playbookSchema.parse(defaultPlaybook)).toEqual(defaultPlaybook);
  });

  it.each<[string, unknown, string]>([
    ['a misspelt field of a step', playbook({ ask: { ...QUESTION, retyr: ['Yes?'] } }), 'steps.ask: retyr'],
    [
      'a misspelt field of what is expected',
      playbook({ ask: { ...QUESTION, expect: { kind: 'yes_no', yse: ['aye'] } } }),
      'steps.ask.expect: yse',
    ],
    [
      'a misspelt field of an option',
      playbook({
        ask: {
          ...CHOICE,
          expect: { ...CHOICE.expect, options: [{ value: 'red', phrases: ['red'], phrase: 'ruby' }] },
        },
      }),
      'steps.ask.expect.options.0: phrase',
    ],
    [
      'a misspelt field of a case',
      playbook({
        branch: {
          kind: 'branch',
          cases: [{ variable: 'a', known: true, les: 'x', next: 'end' }],
          next: 'end',
        },
      }),
      'steps.branch.cases.0: les',
    ],
    ['a misspelt wording', { ...playbook({}), wording: { godbye: 'Bye.' } }, 'wording: godbye'],
    ['a misspelt step for anywhere', { ...playbook({}), anywhere: { persn: 'end' } }, 'anywhere: persn'],
    ['a field beside the steps', { ...playbook({}), step: {} }, ': step'],
    ['an unknown first step', playbook({}, 'begin'), "start: names the step 'begin', which does not exist"],
    [
      'an unknown next step',
      playbook({ ask: { kind: 'say', text: 'Hi.', next: 'nowhere' } }),
      "steps.ask.next: names the step 'nowhere', which does not exist",
    ],
    [
      'a step that only an object has by nature',
      playbook({ ask: { kind: 'say', text: 'Hi.', next: 'constructor' } }),
      "steps.ask.next: names the step 'constructor', which does not exist",
    ],
    [
      'an unknown step after an answer',
      playbook({ ask: { ...QUESTION, answers: { yes: 'end', no: 'nowhere' } } }),
      "steps.ask.answers.no: names the step 'nowhere', which does not exist",
    ],
    [
      'an answer that cannot be',
      playbook({ ask: { ...QUESTION, answers: { yes: 'end', no: 'end', perhaps: 'end' } } }),
      'steps.ask.answers.perhaps: is no answer to this question: yes, no, unsure',
    ],
    [
      'an answer without a step',
      playbook({ ask: { ...QUESTION, answers: { yes: 'end' } } }),
      'steps.ask.answers: has no step for: no (and there is no next)',
    ],
    [
      'an open question without a next step',
      playbook({ ask: { ...QUESTION, expect: { kind: 'anything' } } }),
      'steps.ask.next: is needed: the answer may be anything',
    ],
    [
      'one phrase for two options',
      choiceOf(['red', "I don't care"], ['blue', 'blue', 'I do not care!']),
      "steps.ask.expect.options.1.phrases.1: is already a phrase of 'red'",
    ],
    [
      'a phrase without a word',
      choiceOf(['red', '?!'], ['blue', 'blue']),
      'steps.ask.expect.options.0.phrases.0: holds no word',
    ],
    [
      'one value for two options',
      choiceOf(['red', 'red'], ['red', 'crimson']),
      "steps.ask.expect.options.1.value: is used twice: 'red'",
    ],
    [
      'a step that is never reached',
      playbook({ island: { kind: 'end' } }),
      'steps.island: is never reached from the start',
    ],
    [
      'talk in a circle',
      playbook({
        a: { kind: 'say', text: 'A', next: 'b' },
        b: { kind: 'say', text: 'B', next: 'a' },
        ask: { ...QUESTION, answers: { yes: 'a', no: 'end' } },
      }),
      'steps.a.next: leads back to this step without an answer, so the call would never end',
    ],
    [
      'a question that never gives up',
      playbook({ ask: { ...QUESTION, otherwise: 'ask' } }),
      'steps.ask.otherwise: leads back to this step without an answer, so the call would never end',
    ],
    [
      'a reply to a question that is not asked',
      playbook({ ask: { kind: 'reply', to: 'color', texts: {}, next: 'end' } }),
      "steps.ask.to: is the answer 'color', which no question saves",
    ],
    [
      'a broken variable',
      playbook({ ask: { kind: 'say', text: 'Hello {{name', next: 'end' } }),
      'steps.ask.text: holds braces that make no variable such as {{name}}',
    ],
  ])('is refused for %s', (_name, value, fault) => {
    expect(faultsOf(value)).toContain(fault);
  });

  it.each<[string, unknown, RegExp]>([
    ['an empty text', playbook({ ask: { ...QUESTION, text: ' ' } }), /^steps\.ask\.text: /],
    ['a step of an unknown kind', playbook({ ask: { kind: 'sing' } }), /^steps\.ask\.kind: /],
    ['a bad step name', playbook({ 'Bad Name': { kind: 'end' } }), /^steps\.Bad Name: /],
    ['no attempts', playbook({ ask: { ...QUESTION, max_attempts: 0 } }), /^steps\.ask\.max_attempts: /],
    [
      'one option',
      playbook({
        ask: { ...CHOICE, expect: { kind: 'choice', options: CHOICE.expect.options.slice(0, 1) } },
      }),
      /^steps\.ask\.expect\.options: /,
    ],
    [
      'too many steps',
      playbook(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`s${i}`, { kind: 'end' }]))),
      /^steps: has more than 100 steps/,
    ],
    ['a list instead of steps', { start: 'ask', steps: [] }, /^steps: /],
    ['nothing', {}, /^start: /],
  ])('names where %s stands', (_name, value, fault) => {
    expect(faultsOf(value)).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
  });

  it('is refused as a whole when it is too large', () => {
    const long = 'word '.repeat(190);
    const steps = Object.fromEntries(
      Array.from({ length: 90 }, (_, i) => [`s${i}`, { kind: 'say', text: long, next: `s${i + 1}` }]),
    );
    expect(faultsOf({ start: 's0', steps: { ...steps, s90: { kind: 'end' } } })).toEqual([
      ': is larger than 65536 bytes as JSON',
    ]);
  });

  it('has a JSON schema', () => {
    const { $defs } = z.toJSONSchema(playbookSchema, { io: 'input' });
    expect($defs).toMatchObject({ Playbook: { type: 'object', required: ['start', 'steps'] } });
  });
});
