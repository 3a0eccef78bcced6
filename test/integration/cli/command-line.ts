import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '#test/support/child.js';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

/** The built command line in an empty folder of its own, whose data is in `data`. */
export function openCommandLine() {
  const folder = mkdtempSync(join(tmpdir(), 'cli-'));
  const environment = { DATA_DIR: join(folder, 'data') };
  return {
    folder,
    callwright: (words: string, more: Readonly<Record<string, string>> = {}) =>
      startChild('node', [CLI, ...words.split(' ').filter((word) => word !== '')], {
        cwd: folder,
        environment: { ...environment, ...more },
      }).ended,
    /** The command in a line of the shell, written there as `callwright`. */
    inShell: (line: string) =>
      startChild('bash', ['-c', line.replace('callwright', `'${process.execPath}' '${CLI}'`)], {
        cwd: folder,
        environment,
      }).ended,
  };
}
