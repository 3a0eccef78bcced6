#!/usr/bin/env node
// The command line: `callwright <command>`.
import { UsageError, type Command } from '#cli/command.js';
import { overviewOf, usageOf } from '#cli/help.js';
import { readArguments } from '#cli/command-arguments.js';
import { loadConfig } from '#config/read-config.js';
import { ConfigError } from '#config/setting.js';
import { systemClock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { createLog } from '#kernel/log/log.js';
import { Problem } from '#kernel/errors/errors.js';
import { describeSystemError } from '#kernel/errors/system-error.js';
import { VERSION } from '#cli/version.js';

/** As a shell counts a program that nobody reads any more (128 and SIGPIPE). */
const NOBODY_READS = 141;
const HELP_WORDS = ['--help', '-h'];
const VERSION_WORDS = ['--version', '-v'];

/** Commands that need no configuration, or read it themselves. */
const SERVE = {
  name: 'serve',
  summary: 'Runs the service.',
  operands: [],
  options: {},
  async run() {
    await import('./main.js');
    return 0;
  },
} satisfies Command;
const SHOW_VERSION = {
  name: 'version',
  summary: 'Shows the version.',
  operands: [],
  options: {},
  async run() {
    print(VERSION);
    return 0;
  },
} satisfies Command;

/** Loaded only when asked for: `serve` and `version` must not wait for what they do not need. */
async function loadCommands(): Promise<Command[]> {
  const [keys, database, hold, doctor, demo, webhook] = await Promise.all([
    import('#cli/keys.js'),
    import('#cli/database.js'),
    import('#cli/hold.js'),
    import('#cli/doctor.js'),
    import('#cli/demo-command.js'),
    import('#cli/webhook-listen.js'),
  ]);
  return [
    SERVE,
    ...keys.keyCommands,
    ...database.databaseCommands,
    hold.holdCommand,
    webhook.webhookListenCommand,
    demo.demoCommand,
    doctor.doctorCommand,
    SHOW_VERSION,
  ];
}

process.stdout.on('error', giveUpPrinting);
process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const [first = '', ...others] = words;
  if (others.length === 0 && first === SERVE.name) return await SERVE.run();
  if (others.length === 0 && [SHOW_VERSION.name, ...VERSION_WORDS].includes(first))
    return await SHOW_VERSION.run();
  const commands = await loadCommands();
  const named = words.filter((word, at) => !HELP_WORDS.includes(word) && !(at === 0 && word === 'help'));
  const command = commands.find(({ name }) => name.split(' ').every((word, at) => named[at] === word));
  try {
    if (words.length === 0) throw new UsageError(`a command is missing.\n\n${overviewOf(commands)}\n`);
    if (named.length < words.length) return showHelp(commands, command, named);
    if (!command) throw new UsageError(unknownCommand(commands, words));
    return await runCommand(command, words.slice(command.name.split(' ').length));
  } catch (error) {
    return explain(error, command);
  }
}

function showHelp(
  commands: readonly Command[],
  command: Command | undefined,
  named: readonly string[],
): number {
  const alike = command ? [command] : commands.filter(({ name }) => name.startsWith(`${named.join(' ')} `));
  if (named.length === 0) print(overviewOf(commands));
  else if (alike.length > 0) print(alike.map(usageOf).join('\n\n'));
  else throw new UsageError(unknownCommand(commands, named));
  return 0;
}

async function runCommand(command: Command, rest: readonly string[]): Promise<number> {
  const args = readArguments(command, rest);
  const config = loadConfig(process.env, process.cwd());
  const log = createLog(process.env['LOG_LEVEL'] ? config.logLevel : 'ERROR', process.stderr);
  const clock = systemClock;
  return await command.run({ config, log, clock, ids: createIds(clock), print, remark }, args);
}

function unknownCommand(commands: readonly Command[], words: readonly string[]): string {
  const alike = commands.map(({ name }) => name).filter((name) => name.startsWith(`${words[0]} `));
  if (alike.length > 0) return `"${words[0]}" needs one more word: ${alike.join(', ')}`;
  return `there is no command "${words.join(' ')}"`;
}

/** Says what went wrong in words for people; 2 is for a command line that cannot be understood. */
function explain(error: unknown, command: Command | undefined): number {
  if (error instanceof UsageError) {
    const more = ['callwright', ...(command ? [command.name] : []), '--help'].join(' ');
    process.stderr.write(`callwright: ${error.message}\nSee ${more}.\n`);
    return 2;
  }
  const isExpected =
    error instanceof ConfigError || error instanceof Problem || process.env['LOG_LEVEL'] !== 'DEBUG';
  const text = isExpected ? describeSystemError(error) : (error as Error).stack;
  process.stderr.write(`callwright: ${text}\n`);
  return 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function remark(line: string): void {
  process.stderr.write(`callwright: ${line}\n`);
}

/** What is said is said when its work is done, so nothing is lost with it. */
function giveUpPrinting({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(NOBODY_READS);
  process.stderr.write(`callwright: the output cannot be written: ${message}\n`);
  process.exit(1);
}
