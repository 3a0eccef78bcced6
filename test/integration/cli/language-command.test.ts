import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { classifyAnswer } from '#conversation/answering/answer-phrases.js';
import { readLanguages } from '#language/languages/languages-folder.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { openCommandLine } from './command-line.js';

let callwright: ReturnType<typeof openCommandLine>['callwright'];
let folder: string;

beforeEach(() => {
  ({ callwright } = openCommandLine());
  folder = join(temporaryFolder(), 'languages');
  mkdirSync(folder);
});

const write = (name: string, file: unknown) =>
  writeFileSync(join(folder, name), typeof file === 'string' ? file : JSON.stringify(file));

it('a language that was printed and translated is one of the service', async () => {
  const { code, stdout } = await callwright('language de');
  expect(code).toBe(0);
  const dutch = { ...JSON.parse(stdout), language: 'nl', usual_tag: 'nl-NL' };
  dutch.sentences.hold = 'Natuurlijk, neem de tijd.';
  dutch.wishes.do_not_call = ['bel (mij|me|ons) nooit meer'];
  write('nl.json', dutch);
  const languages = await readLanguages(folder);
  expect(languages.codes).toContain('nl');
  expect(languages.forTag('nl-BE').sentences.hold).toBe('Natuurlijk, neem de tijd.');
  expect(languages.forTag('nl').forbidsCalls('Bel me nooit meer!')).toBe(true);
  expect((await callwright('language fi')).stderr).toContain('there is no language fi');
});

it('a file of a language that is there adds to it', async () => {
  write('more-german.json', {
    language: 'de',
    sentences: { hold: 'Kein Problem, ich warte.' },
    wishes: { person: ['(zur|in die) zentrale'] },
  });
  const german = (await readLanguages(folder)).forTag('de');
  expect(german.sentences).toMatchObject({ hold: 'Kein Problem, ich warte.', again: 'Entschuldigung.' });
  expect(german.wishIn('Zur Zentrale, bitte')?.kind).toBe('person');
  expect(german.wishIn('Verbinden Sie mich')?.kind).toBe('person');
});

it('a file may add classes of words for its own phrases, and keeps those that are there', async () => {
  write('more-english.json', {
    language: 'en',
    machines: { classes: { hall: 'hall|annexe' }, machine: ['this is the <hall> machine'] },
  });
  const english = (await readLanguages(folder)).forTag('en');
  for (const text of ['this is the annexe machine', 'press one'])
    expect(classifyAnswer(text, english), text).toBe('machine');
});

it.each([
  ['no JSON', 'nl.json', '{', /nl\.json: /],
  ['a language that is not whole', 'nl.json', { language: 'nl' }, /nl\.json: [^]*sentences/],
  ['a list that does not exist', 'de.json', { language: 'de', wishes: { pizza: [] } }, /de\.json: [^]*pizza/],
  ['an unknown class of words', 'de.json', { language: 'de', machines: { machine: ['<box>'] } }, /<box>/],
])('a file with %s is refused by its name', async (_what, name, file, problem) => {
  write(name, file);
  await expect(readLanguages(folder)).rejects.toThrow(problem);
});

it('a folder that is not there is refused', async () => {
  await expect(readLanguages(join(folder, 'none'))).rejects.toThrow(/LANGUAGES_DIR .*none: cannot be read/);
});
