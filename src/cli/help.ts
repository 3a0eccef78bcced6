import type { Command } from './command.js';
import { lineOf } from './command-arguments.js';

// The help texts of the command line, for `runCommandLine`.

/** The list of all commands. */
export function overviewOf(commands: readonly Command[]): string {
  const rows = commands.map(
    ({ name, operands, summary }) => [[name, ...operands].join(' '), summary] as const,
  );
  return [
    'callwright <command>',
    '',
    ...columns(rows),
    '',
    'callwright <command> --help shows the options of a command.',
    'Settings come from the environment and from .env.',
  ].join('\n');
}

/** The usage of one command. */
export function usageOf(command: Command): string {
  const rows = Object.entries(command.options).map(
    ([name, { type, docs }]) => [`--${name}${type === 'string' ? ' <text>' : ''}`, docs] as const,
  );
  const others = command.otherOptions === undefined ? [] : ['', `  ${command.otherOptions}`];
  const options = rows.length > 0 ? ['', ...columns(rows)] : [];
  return [lineOf(command), '', command.summary, ...options, ...others].join('\n');
}

/** Rows of two columns; the first is as wide as its longest text. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
}
