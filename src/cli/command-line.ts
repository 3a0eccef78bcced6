import { createIds } from '#kernel/ids/ids.js';
import { createLog } from '#kernel/log/log.js';
import { Problem } from '#kernel/errors/errors.js';
import { describeSystemError } from '#kernel/errors/system-error.js';
import type { Clock } from '#kernel/time/clock.js';
import { loadConfig } from '#config/read-config.js';
import { ConfigError } from '#config/setting.js';
import { readArguments } from './command-arguments.js';
import { UsageError, type Command } from './command.js';
import { overviewOf, usageOf } from './help.js';
import { VERSION } from './version.js';

const HELP_WORDS = ['--help', '-h'];
const VERSION_WORDS = ['--version', '-v'];

/** The environment of a command line: a process's variables, working folder and standard streams. */
export interface CommandLineHost {
  environment: NodeJS.ProcessEnv;
  folder: string;
  clock: Clock;
  /** Asks for a line of standard input; null at its end. */
  readLine(prompt: string): Promise<string | null>;
  /** Writes a chunk to standard output. */
  writeOutput(text: string): void;
  stderr: { write(text: string): unknown };
  /** Starts the service, which continues after this has resolved. */
  serve(): Promise<unknown>;
}

/**
 * Runs `callwright <words>`; `cli.ts` calls it with the process's own environment.
 * @returns the exit code: 0, 1 for a failed command, 2 for invalid words
 */
export async function runCommandLine(words: readonly string[], host: CommandLineHost): Promise<number> {
  const [first = '', ...others] = words;
  // `serve` and `version` start without loading the other commands.
  if (others.length === 0 && first === 'serve') return await serve(host).run();
  if (others.length === 0 && ['version', ...VERSION_WORDS].includes(first))
    return await showVersion(host).run();
  const commands = await loadCommands(host);
  // Help is asked for by `help` as the first word, or by `--help` anywhere.
  const wordsWithoutHelp = words.filter(
    (word, at) => !HELP_WORDS.includes(word) && !(at === 0 && word === 'help'),
  );
  const command = commands.find(({ name }) =>
    name.split(' ').every((word, at) => wordsWithoutHelp[at] === word),
  );
  try {
    if (words.length === 0) throw new UsageError(`a command is missing.\n\n${overviewOf(commands)}\n`);
    if (wordsWithoutHelp.length < words.length) {
      host.writeOutput(`${helpOn(commands, command, wordsWithoutHelp)}\n`);
      return 0;
    }
    if (!command) throw new UsageError(unknownCommand(commands, words));
    return await runCommand(command, words.slice(command.name.split(' ').length), host);
  } catch (error) {
    return reportError(error, command, host);
  }
}

/** The command `serve`, which reads the configuration itself. */
function serve(host: CommandLineHost) {
  return {
    name: 'serve',
    summary: 'Runs the service.',
    operands: [],
    options: {},
    async run() {
      await host.serve();
      return 0;
    },
  } satisfies Command;
}

/** The command `version`. */
function showVersion(host: CommandLineHost) {
  return {
    name: 'version',
    summary: 'Shows the version.',
    operands: [],
    options: {},
    async run() {
      host.writeOutput(`${VERSION}\n`);
      return 0;
    },
  } satisfies Command;
}

/** All commands. Their modules are loaded together, because each takes a while. */
async function loadCommands(host: CommandLineHost): Promise<Command[]> {
  const [keys, database, hold, doctor, demo, language, webhook, recordings, talk] = await Promise.all([
    import('./keys.js'),
    import('./database.js'),
    import('./hold.js'),
    import('./doctor.js'),
    import('./demo-command.js'),
    import('./language.js'),
    import('./webhook-listen.js'),
    import('./move-recordings.js'),
    import('./talk.js'),
  ]);
  return [
    serve(host),
    ...keys.keyCommands,
    ...database.databaseCommands,
    hold.holdCommand,
    recordings.moveRecordingsCommand,
    webhook.webhookListenCommand,
    demo.demoCommand,
    talk.talkCommand,
    doctor.doctorCommand,
    language.languageCommand,
    showVersion(host),
  ];
}

/** The help on a command, on all commands that begin with a word (`keys`), or the list of all. */
function helpOn(
  commands: readonly Command[],
  command: Command | undefined,
  wordsWithoutHelp: readonly string[],
): string {
  const matching = command
    ? [command]
    : commands.filter(({ name }) => name.startsWith(`${wordsWithoutHelp.join(' ')} `));
  if (wordsWithoutHelp.length === 0) return overviewOf(commands);
  if (matching.length === 0) throw new UsageError(unknownCommand(commands, wordsWithoutHelp));
  return matching.map(usageOf).join('\n\n');
}

/** Runs a command with the settings of the environment. The log goes to standard error, by default errors only. */
async function runCommand(command: Command, rest: readonly string[], host: CommandLineHost): Promise<number> {
  const { environment, folder, clock, stderr } = host;
  const args = readArguments(command, rest);
  const config = loadConfig(environment, folder);
  const log = createLog(environment['LOG_LEVEL'] ? config.logLevel : 'ERROR', stderr);
  return await command.run(
    {
      config,
      folder,
      log,
      clock,
      ids: createIds(clock),
      readLine: (prompt) => host.readLine(prompt),
      print: (line) => host.writeOutput(`${line}\n`),
      remark: (line) => stderr.write(`callwright: ${line}\n`),
    },
    args,
  );
}

/** The message for words that are no command, or only the first word of several commands. */
function unknownCommand(commands: readonly Command[], words: readonly string[]): string {
  const matching = commands.map(({ name }) => name).filter((name) => name.startsWith(`${words[0]} `));
  if (matching.length > 0) return `"${words[0]}" needs one more word: ${matching.join(', ')}`;
  return `there is no command "${words.join(' ')}"`;
}

/**
 * Writes an error to standard error, and returns its exit code: 2 for invalid words, else 1. `LOG_LEVEL=DEBUG` shows
 * the stack of an unexpected error.
 */
function reportError(
  error: unknown,
  command: Command | undefined,
  { stderr, environment }: CommandLineHost,
): number {
  if (error instanceof UsageError) {
    const more = ['callwright', ...(command ? [command.name] : []), '--help'].join(' ');
    stderr.write(`callwright: ${error.message}\nSee ${more}.\n`);
    return 2;
  }
  const hidesStack =
    error instanceof ConfigError || error instanceof Problem || environment['LOG_LEVEL'] !== 'DEBUG';
  const text = hidesStack ? describeSystemError(error) : (error as Error).stack;
  stderr.write(`callwright: ${text}\n`);
  return 1;
}
