import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillVariables, hasBrokenVariable, ValueAllowance, variablesOf } from '#dialogue/variables.js';

describe('variables in texts', () => {
  it.each([
    ['Hello {{name}}, this is the clinic.', 'Hello Ada, this is the clinic.'],
    ['Hello {{ name }}!', 'Hello Ada!'],
    ['Hello {{name|there}}!', 'Hello Ada!'],
    ['{{name}} and {{name}}', 'Ada and Ada'],
  ])('%s with a name', (text, spoken) => {
    expect(fillVariables(text, [{ name: 'Ada' }])).toBe(spoken);
  });

  it.each([
    ['Hello {{name}}, this is the clinic.', 'Hello, this is the clinic.'],
    ['Hello {{name}}!', 'Hello!'],
    ['Hello {{name|there}}!', 'Hello there!'],
    ['{{name}}, are you there?', 'Are you there?'],
    ['Thank you, {{name}}.', 'Thank you.'],
    ['Goodbye {{name}}', 'Goodbye'],
    ['Am I speaking with {{name}}?', 'Am I speaking with the person we are trying to reach?'],
    ['It is about your {{service}} appointment.', 'It is about your appointment.'],
    ['Your appointment is tomorrow at {{time}}.', 'Your appointment is tomorrow.'],
    ['You come at {{time}} tomorrow.', 'You come tomorrow.'],
    ['I am calling about your {{topic}}.', 'I am calling.'],
    ['{{opening}} Is this a good time?', 'Is this a good time?'],
    ['{{whole}}', ''],
  ])('%s without anything', (text, spoken) => {
    expect(fillVariables(text, [])).toBe(spoken);
  });

  it('never fills what a value brought in, and flattens it to one line', () => {
    expect(fillVariables('Hello {{name}}.', [{ name: '{{secret}}\n x', secret: 'leak' }])).toBe(
      'Hello {{secret}} x.',
    );
  });

  it('knows nothing that an object has by nature', () => {
    expect(fillVariables('Hello {{constructor|there}}, {{toString|you}}.', [{}])).toBe('Hello there, you.');
  });

  it('never speaks a placeholder', () => {
    const piece = fc.constantFrom(
      '{{name}}',
      '{{a|b}}',
      '{{ x1 }}',
      'Hello',
      ',',
      ' ',
      'at ',
      '.',
      'your ',
      '?',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const spoken = fillVariables(pieces.join(''), []);
        expect(spoken).not.toMatch(/\{\{|\}\}|\s[,.?]|\s\s|^\s|\s$/);
      }),
    );
  });

  it('lists what a client has to supply, once each', () => {
    const texts = ['{{name}} {{time|soon}}', '{{initial_message}} {{name}} {{agent_name}}'];
    expect(variablesOf(texts)).toEqual(['name', 'time']);
  });

  it.each(['{{name', 'name}}', '{{}}', '{{first name}}', '{{1st}}', '{{{name}'])(
    'finds %s broken',
    (text) => {
      expect(hasBrokenVariable(text)).toBe(true);
    },
  );

  it('finds good texts whole', () => {
    expect(hasBrokenVariable('{{a}} {b} {{c|d e}}')).toBe(false);
  });

  it('takes the first source that has a value', () => {
    expect(fillVariables('{{a}} {{b}}', [{ a: 'x' }, { a: 'y', b: 'z' }])).toBe('X z');
  });
});

describe('how much values may add', () => {
  const letters = (count: number) => 'a'.repeat(count);

  it.each([
    ['a value that is too long loses its end', '-{{v}}-', 2_100, 2_002],
    ['a value of the longest length stays whole', '-{{v}}-', 2_000, 2_002],
    ['together they are cut where the text is full', '-{{v}}{{v}}{{v}}{{v}}-', 1_900, 6_002],
    ['the words of the text itself always stand', '-{{v}}{{v}}{{v}}{{v}} and what follows-', 2_000, 6_019],
  ])('%s', (_what, text, length, filled) => {
    expect(fillVariables(text, [{ v: letters(length) }])).toHaveLength(filled);
  });

  it('leaves a value out as if it were missing once nothing more fits', () => {
    const text = fillVariables('{{v}}{{v}}{{v}}. Hello {{name}}! It is {{v|nothing}}.', [
      { v: letters(2_000), name: 'Ada' },
    ]);
    expect(text.endsWith('. Hello! It is nothing.')).toBe(true);
  });

  it('holds for all texts of a turn together', () => {
    const turn = new ValueAllowance();
    const texts = Array.from({ length: 90 }, () => fillVariables('-{{v}}', [{ v: letters(64_000) }], turn));
    expect(texts.join('').replaceAll('-', '')).toHaveLength(16_000);
  });

  it('cuts no emoji in two', () => {
    expect(fillVariables('{{v}}', [{ v: `${letters(1_999)}😀` }])).toBe(`A${letters(1_998)}`);
  });
});
