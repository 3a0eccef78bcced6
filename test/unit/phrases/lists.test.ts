import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A list that no runner reads would prove nothing. */
it('every list of phrases is read by a test', () => {
  const folder = new URL('./', import.meta.url);
  const tests = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const lists = readdirSync(new URL('../../phrases/', folder), { recursive: true, encoding: 'utf8' });
  const files = lists.filter((path) => path.endsWith('.yaml')).map((path) => path.split(/[/\\]/).at(-1)!);
  expect(files.filter((file) => !tests.some((source) => source.includes(`'${file}'`)))).toEqual([]);
});
