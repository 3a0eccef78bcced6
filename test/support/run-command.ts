import { expect } from 'vitest';
import type { CommandContext } from '#cli/command.js';
import { databaseCommands } from '#cli/database.js';
import { holdCommand } from '#cli/hold.js';
import { readConfig } from '#config/read-config.js';
import { createIds } from '#kernel/ids/ids.js';
import { systemClock } from '#kernel/time/clock.js';
import { startNearThreads } from './near-threads.js';
import { createMemoryLog } from './memory-log.js';

/** Runs a database command within this process, with `--force`; returns the lines that it prints. */
export async function runCommand(
  environment: Record<string, string>,
  name: 'backup' | 'restore' | 'hold',
  ...operands: readonly string[]
): Promise<string[]> {
  const command = [...databaseCommands, holdCommand].find((one) => one.name === name)!;
  const printed: string[] = [];
  const context = commandContext(environment, (line) => void printed.push(line));
  expect(await command.run(context, { operands, options: { force: true } })).toBe(0);
  return printed;
}

/** The context of a command within this process. */
export function commandContext(
  environment: Readonly<Record<string, string>>,
  print: CommandContext['print'],
): CommandContext {
  return {
    config: readConfig(environment),
    folder: process.cwd(),
    log: createMemoryLog().log,
    clock: systemClock,
    ids: createIds(systemClock),
    print,
    readLine: async () => null,
    remark: () => {},
    startThreads: startNearThreads,
  };
}
