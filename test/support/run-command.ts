import { expect } from 'vitest';
import { databaseCommands } from '#cli/database.js';
import { holdCommand } from '#cli/hold.js';
import { readConfig } from '#config/read-config.js';
import { createIds } from '#kernel/ids/ids.js';
import { systemClock } from '#kernel/time/clock.js';
import { createMemoryLog } from './memory-log.js';

/** Runs a database command within this process, with `--force`; returns the lines that it prints. */
export async function runCommand(
  environment: Record<string, string>,
  name: 'backup' | 'restore' | 'hold',
  ...operands: readonly string[]
): Promise<string[]> {
  const command = [...databaseCommands, holdCommand].find((one) => one.name === name)!;
  const printed: string[] = [];
  const context = {
    config: readConfig(environment),
    folder: process.cwd(),
    log: createMemoryLog().log,
    clock: systemClock,
    ids: createIds(systemClock),
    print: (line: string) => void printed.push(line),
    readLine: async () => null,
    remark: () => {},
  };
  expect(await command.run(context, { operands, options: { force: true } })).toBe(0);
  return printed;
}
