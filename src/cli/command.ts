import type { Config } from '#config/config.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { StoreThreads } from '#store/open-store.js';

/** The settings, tools and streams that `command-line.ts` gives to a command. */
export interface CommandContext {
  config: Config;
  /** Working folder; relative paths of files start from it. */
  folder: string;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Writes a line to standard output. */
  print(line: string): void;
  /** Asks for a line of standard input; null at its end. */
  readLine(prompt: string): Promise<string | null>;
  /** Writes a remark to standard error, apart from the result. */
  remark(line: string): void;
  /** Starts threads for the database that a test replaces; by default those of the service. */
  startThreads?: (() => StoreThreads) | undefined;
}

/** An option of a command, as `node:util` parses it. */
export type OptionRule = { type: 'string' } | { type: 'boolean' };

/** The arguments after a command's name. */
export interface CommandArguments {
  options: Readonly<Record<string, string | boolean | undefined>>;
  /** The operands in order, as many as {@link Command.operands} names. */
  operands: readonly string[];
}

/** A command of the command line; `command-line.ts` has the list. */
export interface Command {
  /** The words that call the command, such as `keys create`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** Names of required operands, such as `<file>`. */
  operands: readonly string[];
  options: Readonly<Record<string, OptionRule & { docs: string }>>;
  /**
   * Missing: the command accepts only its `options`. Set: it also accepts options whose names the user chooses, each
   * with a text; this is their meaning, for the help.
   */
  otherOptions?: string;
  /** Resolves with the exit code. */
  run(context: CommandContext, args: CommandArguments): Promise<number>;
}

/** An invalid command line; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
