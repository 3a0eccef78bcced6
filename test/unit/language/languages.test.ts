import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { classifyAnswer, takesNoMessage } from '#conversation/answering/answer-phrases.js';
import { overlapClassifier } from '#conversation/turns/back-channels.js';
import { checkPatterns } from '#language/languages/language.js';
import { languageFile } from '#language/languages/language-file.js';
import { BUILT_IN_LANGUAGES, DEFAULT_LANGUAGES } from '#language/languages/languages.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { interpret } from '#playbook/understanding/interpret.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readValue, spokenValue } from '#playbook/values/value.js';
import { speakableText } from '#speech/speakable/speakable-text.js';
import { speaking } from '#test/support/call-languages.js';
import { SAID } from './said-in-languages.js';

/** A Saturday. */
const now = DateTime.fromISO('2026-11-21T10:00', { zone: 'Europe/Madrid' });

function meaningOf(
  code: string,
  text: string,
  expectation: PlaybookExpectation,
  pending: string | null = null,
) {
  const place = { now, region: undefined, language: speaking(code) };
  return interpret({ text, confidence: 0.9 }, { ...place, expectation, pending, minConfidence: 0.3 });
}

describe('every language that the service comes with', () => {
  it.each(BUILT_IN_LANGUAGES.map((file) => [file.language, file] as const))('is whole: %s', (_code, file) => {
    expect(languageFile.safeParse(file).error).toBeUndefined();
    expect(() => checkPatterns(file)).not.toThrow();
    expect(file.sentences.is_that_right).toContain('{{value}}');
    expect(file.sentences.later_at).toContain('{{call_back_at}}');
  });

  it('has sentences of its own', () => {
    for (const { language, sentences } of BUILT_IN_LANGUAGES.slice(1))
      for (const [name, sentence] of Object.entries(sentences))
        expect(sentence, `${language}: ${name}`).not.toBe(
          DEFAULT_LANGUAGES.forTag('en').sentences[name as keyof typeof sentences],
        );
  });
});

describe.each(Object.entries(SAID))('in %s', (code, said) => {
  const language = DEFAULT_LANGUAGES.forTag(code);
  const everywhere: readonly PlaybookExpectation[] = [
    { kind: 'yes_no' },
    { kind: 'anything' },
    { kind: 'date' },
  ];

  it.each(said.doNotCall)('no more calls are wanted, whatever was asked: %s', (text) => {
    expect(isOptOut(text, language)).toBe(true);
    for (const expectation of everywhere)
      expect(meaningOf(code, text, expectation)).toMatchObject({ kind: 'leaving', reason: 'do_not_call' });
  });

  it.each(said.doubted)('no more calls may be wanted: %s', (text) => {
    expect(language.forbidsCalls(text)).toBe(false);
    expect(language.mayForbidCalls(text)).toBe(true);
  });

  it.each(
    (['person', 'hold', 'who', 'repeat'] as const).flatMap((kind) =>
      said[kind].map((text) => [kind, text] as const),
    ),
  )('%s is asked for: %s', (kind, text) => {
    for (const expectation of everywhere) expect(meaningOf(code, text, expectation)).toEqual({ kind });
  });

  it.each([
    ...said.goodbye.map((text) => ['goodbye', text] as const),
    ...said.wrongNumber.map((text) => ['wrong_number', text] as const),
  ])('%s: %s', (reason, text) => {
    for (const expectation of everywhere)
      expect(meaningOf(code, text, expectation)).toMatchObject({ kind: 'leaving', reason });
  });

  it.each(said.later)('another time is wanted: %s', (text) => {
    expect(meaningOf(code, text, { kind: 'yes_no' })).toMatchObject({ kind: 'leaving', reason: 'later' });
  });

  it.each((['yes', 'no'] as const).flatMap((value) => said[value].map((text) => [value, text] as const)))(
    'answers %s: %s',
    (value, text) => {
      expect(meaningOf(code, text, { kind: 'yes_no' })).toEqual({ kind: 'answer', value, leaving: false });
      const confirmed = value === 'yes' ? { kind: 'confirmed', leaving: false } : { kind: 'denied' };
      expect(meaningOf(code, text, { kind: 'date' }, '2026-11-24')).toEqual(confirmed);
      expect(language.mayForbidCalls(text)).toBe(false);
    },
  );

  it.each(said.unsure)('is not sure: %s', (text) => {
    expect(meaningOf(code, text, { kind: 'yes_no' })).toEqual({ kind: 'unclear' });
  });

  it.each(said.free)('is an answer of its own: %s', (text) => {
    expect(meaningOf(code, text, { kind: 'anything' })).toEqual({
      kind: 'answer',
      value: text,
      leaving: false,
    });
    expect(language.mayForbidCalls(text)).toBe(false);
    expect(classifyAnswer(text, language)).toBe('person');
  });

  it('knows machines, screening services and full mailboxes', () => {
    for (const text of said.machine) expect(classifyAnswer(text, language), text).toBe('machine');
    for (const text of said.screening) expect(classifyAnswer(text, language), text).toBe('screening');
    for (const text of said.fullMailbox) expect(takesNoMessage(text, language), text).toBe(true);
  });

  it('weighs what is said over the agent', () => {
    const weigh = overlapClassifier(language);
    for (const text of said.backChannel) expect(weigh(text), text).toBe('back_channel');
    for (const text of said.stop) expect(weigh(text), text).toBe('stop');
  });
});

describe('values', () => {
  it.each<[string, PlaybookExpectation, string, string | null]>([
    ['de', { kind: 'date' }, 'Am Dienstag', '2026-11-24'],
    ['de', { kind: 'date' }, 'morgen', '2026-11-22'],
    ['de', { kind: 'date' }, 'übermorgen', '2026-11-23'],
    ['de', { kind: 'date' }, 'am 15. März', '2027-03-15'],
    ['de', { kind: 'date' }, '24.12.', '2026-12-24'],
    ['de', { kind: 'date' }, 'irgendwann', null],
    ['de', { kind: 'time' }, 'um 14 Uhr 30', '14:30'],
    ['de', { kind: 'time' }, 'um drei nachmittags', '15:00'],
    ['de', { kind: 'time' }, '9 Uhr', '09:00'],
    ['de', { kind: 'time' }, 'halb drei', null],
    ['de', { kind: 'number', max: 10 }, 'vier Personen', '4'],
    ['de', { kind: 'name' }, 'Ich heiße Anna Berg', 'Anna Berg'],
    ['de', { kind: 'name' }, 'Müller', 'Müller'],
    ['fr', { kind: 'date' }, "aujourd'hui", '2026-11-21'],
    ['fr', { kind: 'date' }, 'le 1er décembre', '2026-12-01'],
    ['fr', { kind: 'time' }, '14h30', '14:30'],
    ['fr', { kind: 'time' }, 'à trois heures de l’après-midi', '15:00'],
    ['es', { kind: 'date' }, 'el miércoles', '2026-11-25'],
    ['es', { kind: 'date' }, 'pasado mañana', '2026-11-23'],
    ['es', { kind: 'date' }, '15 de marzo', '2027-03-15'],
    ['es', { kind: 'time' }, 'a las 3 de la tarde', '15:00'],
    ['es', { kind: 'time' }, 'a las tres y media', null],
    ['it', { kind: 'date' }, 'lunedì', '2026-11-23'],
    ['it', { kind: 'time' }, 'alle 15.30', '15:30'],
    ['it', { kind: 'time' }, 'a mezzogiorno', '12:00'],
    ['pt', { kind: 'date' }, 'na segunda', '2026-11-23'],
    ['pt', { kind: 'date' }, 'depois de amanhã', '2026-11-23'],
    ['pt', { kind: 'time' }, 'às três da tarde', '15:00'],
    [
      'pt',
      {
        kind: 'choice',
        options: [
          { value: 'cut', phrases: ['corte'] },
          { value: 'dye', phrases: ['tintura'] },
        ],
      },
      'Um corte, por favor',
      'cut',
    ],
  ])('in %s: %o %s', (code, expectation, text, value) => {
    expect(readValue(text, expectation, { now, region: undefined, language: speaking(code) })).toBe(value);
  });

  it('outside of their limits are not possible', () => {
    const place = { now, region: undefined, language: speaking('de') };
    expect(readValue('zwölf', { kind: 'number', max: 10 }, place)).toBe(NOT_POSSIBLE);
    expect(readValue('um 20 Uhr', { kind: 'time', latest: '18:00' }, place)).toBe(NOT_POSSIBLE);
  });

  it.each([
    ['de-DE', 'date', '2026-11-24', 'Dienstag, 24. November'],
    ['es-ES', 'date', '2026-11-24', 'martes, 24 de noviembre'],
    ['fr-FR', 'date', '2027-12-01', 'mercredi 1 décembre 2027'],
    ['pt-BR', 'time', '14:30', '14:30'],
  ] as const)('are said in %s: %s', (tag, kind, value, said) => {
    expect(spokenValue(value, { kind }, { now, region: undefined, language: speaking(tag) })).toBe(said);
  });
});

it.each([
  ['de-DE', 'Am 2026-03-15 um 14:30.', 'Am 15. März 2026 um 14:30.'],
  ['de-DE', 'Das kostet €1.250,50 & mehr.', 'Das kostet 1250,50 Euro und mehr.'],
  [
    'de-DE',
    'Schreiben Sie an info@praxis-berg.de!',
    'Schreiben Sie an info ät praxis Bindestrich berg Punkt de!',
  ],
  ['de-DE', '50 % bei 20 °C', '50 Prozent bei 20 Grad'],
  ['de-DE', 'Rufen Sie +49 30 1234567 an', 'Rufen Sie plus 4 9, 3 0, 1 2 3 4 5 6 7 an'],
  ['es-ES', 'Son 12,50 €.', 'Son 12,50 euros.'],
  ['es-MX', 'El 2026-03-15, ventas@tienda.mx', 'El 15 de marzo de 2026, ventas arroba tienda punto mx'],
  ['fr-FR', '**Bonjour** — voir www.exemple.fr/aide', 'Bonjour — voir exemple point fr barre oblique aide'],
  ['it-IT', 'EUR 3', '3 euro'],
  ['pt-BR', 'São R$ 20,00', 'São 20 Reais brasileiros'],
])('a text is made speakable in %s: %s', (language, written, said) => {
  expect(speakableText(written, { language, letters: 'any' })).toBe(said);
});
