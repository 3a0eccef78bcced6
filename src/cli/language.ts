import { readLanguages } from '#language/languages/languages-folder.js';
import { UsageError, type Command } from './command.js';

/** The command `language`: prints a language as a file for `LANGUAGES_DIR`, as a template for another language. */
export const languageCommand: Command = {
  name: 'language',
  summary: 'Prints what the service says and understands in a language, as a file for LANGUAGES_DIR.',
  operands: ['<language>'],
  options: {},
  async run(context, { operands }) {
    const languages = await readLanguages(context.config.languagesDir);
    const [code = ''] = operands;
    if (!languages.has(code))
      throw new UsageError(`there is no language ${code}: ${languages.codes.join(', ')}`);
    context.print(JSON.stringify(languages.forTag(code).file, null, 2));
    return 0;
  },
};
