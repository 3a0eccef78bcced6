#!/usr/bin/env node
// The command line: `callwright <command>`.
import { parseArgs } from 'node:util';
import { UsageError, type Command, type Words } from './commands/command.js';
import { ConfigError, readConfig, withDotEnv } from './config.js';
import { systemClock } from './kernel/clock.js';
import { createIds } from './kernel/ids.js';
import { createLog } from './kernel/log.js';
import { Problem } from './kernel/errors.js';
import { VERSION } from './version.js';

/** Commands that need no service and no configuration, or load it themselves. */
const SERVE = { name: 'serve', summary: 'Runs the service.' };
const SHOW_VERSION = { name: 'version', summary: 'Shows the version.' };

/** Loaded only when asked for: `version` and `--help` must not wait for a speech engine. */
async function loadCommands(): Promise<Command[]> {
  const [keys, database, doctor, demo, webhook] = await Promise.all([
    import('./commands/keys.js'),
    import('./commands/database.js'),
    import('./commands/doctor.js'),
    import('./commands/demo-command.js'),
    import('./commands/webhook-listen.js'),
  ]);
  return [
    ...keys.keyCommands,
    ...database.databaseCommands,
    webhook.webhookListenCommand,
    demo.demoCommand,
    doctor.doctorCommand,
  ];
}

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const [first] = words;
  if (first === SERVE.name && words.length === 1) {
    await import('./main.js');
    return 0;
  }
  if ((first === SHOW_VERSION.name || first === '--version') && words.length === 1) {
    print(VERSION);
    return 0;
  }
  try {
    return await runCommand(words);
  } catch (error) {
    return explain(error);
  }
}

async function runCommand(words: readonly string[]): Promise<number> {
  const commands = await loadCommands();
  if (words.length === 0 || words[0] === '--help' || words[0] === 'help') {
    print(overviewOf(commands));
    return words.length === 0 ? 2 : 0;
  }
  const command = commands.find(({ name }) => name.split(' ').every((word, at) => words[at] === word));
  if (!command) throw new UsageError(unknownCommand(commands, words));
  const rest = words.slice(command.name.split(' ').length);
  if (rest.includes('--help')) {
    print(usageOf(command));
    return 0;
  }
  const parsed = parseWords(command, rest);
  const config = readConfig(withDotEnv(process.env, process.cwd()));
  const log = createLog(process.env['LOG_LEVEL'] ? config.logLevel : 'ERROR', process.stderr);
  const clock = systemClock;
  return await command.run({ config, log, clock, ids: createIds(clock), print }, parsed);
}

function unknownCommand(commands: readonly Command[], words: readonly string[]): string {
  const alike = commands.map(({ name }) => name).filter((name) => name.startsWith(`${words[0]} `));
  if (alike.length > 0) return `"${words[0]}" needs one more word: ${alike.join(', ')}`;
  return `there is no command "${words.join(' ')}"`;
}

function parseWords(command: Command, rest: string[]): Words {
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: command.options,
      allowPositionals: true,
    });
    if (positionals.length !== command.operands.length) throw new UsageError(`usage: ${usageOf(command)}`);
    return { options: values, operands: positionals };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message}\nusage: ${usageOf(command)}`);
  }
}

function usageOf({ name, operands, options }: Command): string {
  const flags = Object.entries(options).map(
    ([flag, { type, docs }]) => `\n  --${flag}${type === 'string' ? ' <text>' : ''}  ${docs}`,
  );
  return `${['callwright', name, ...operands].join(' ')}${flags.join('')}`;
}

function overviewOf(commands: readonly Command[]): string {
  const rows = [
    SERVE,
    ...commands.map(({ name, operands, summary }) => ({ name: [name, ...operands].join(' '), summary })),
    SHOW_VERSION,
  ];
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return ['callwright <command>', '', ...lines, '', 'Settings come from the environment and from .env.'].join(
    '\n',
  );
}

/** Says what went wrong in words for people; 2 is for a command line that cannot be understood. */
function explain(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`callwright: ${error.message}\nSee callwright --help.\n`);
    return 2;
  }
  const isExpected =
    error instanceof ConfigError || error instanceof Problem || process.env['LOG_LEVEL'] !== 'DEBUG';
  const text = isExpected ? (error as Error).message : (error as Error).stack;
  process.stderr.write(`callwright: ${text}\n`);
  return 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
