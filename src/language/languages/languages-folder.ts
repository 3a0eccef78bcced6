import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { checkPatterns } from './language.js';
import { languageAddition, languageFile, withAddition, type LanguageFile } from './language-file.js';
import { BUILT_IN_LANGUAGES, Languages } from './languages.js';

/**
 * Reads the languages of the service: the built-in ones, and the JSON files in the folder of the setting
 * LANGUAGES_DIR. A file for a new language contains the whole language, a file for an existing one adds to it. Used
 * at start, and by the commands `doctor` and `language`.
 * @param folder null for the built-in languages only
 * @throws Error that names the file and its problem
 */
export async function readLanguages(folder: string | null): Promise<Languages> {
  if (folder === null) return new Languages();
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`LANGUAGES_DIR ${folder}: cannot be read (${error.code ?? error.message})`);
  });
  const files = new Map<string, LanguageFile>(BUILT_IN_LANGUAGES.map((file) => [file.language, file]));
  for (const name of names.filter((entry) => entry.endsWith('.json')).sort()) {
    const path = join(folder, name);
    const file = readFile(path, 'utf8').then((text) => withDocument(files, JSON.parse(text)));
    const whole = await file.catch((error: unknown) => {
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
      throw new Error(`LANGUAGES_DIR ${path}: ${reason}`, { cause: error });
    });
    files.set(whole.language, whole);
  }
  return new Languages([...files.values()]);
}

/** The language of a JSON document: a new one, or one of `languages` with the addition. */
function withDocument(languages: ReadonlyMap<string, LanguageFile>, document: unknown): LanguageFile {
  const { language } = z.looseObject({ language: languageFile.shape.language }).parse(document);
  const base = languages.get(language);
  const whole = base ? withAddition(base, languageAddition.parse(document)) : languageFile.parse(document);
  checkPatterns(whole);
  return whole;
}
