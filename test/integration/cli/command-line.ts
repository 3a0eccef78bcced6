import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '#cli/command-line.js';
import { systemClock } from '#kernel/time/clock.js';
import { startNearThreads } from '#test/support/near-threads.js';
import { startChild } from '#test/support/child.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** A command line in an empty folder, with its data in `data`. */
export function openCommandLine() {
  const folder = temporaryFolder();
  const environment = { DATA_DIR: join(folder, 'data') };
  return {
    folder,
    /** Runs a command within this process, whose thread does the work of the database. */
    async callwright(words: string, more: Environment = {}, typed: readonly string[] = []) {
      const lines = [...typed];
      const printed = { stdout: '', stderr: '' };
      const code = await runCommandLine(wordsOf(words), {
        environment: { ...environment, ...more },
        folder,
        clock: systemClock,
        writeOutput: (text) => void (printed.stdout += text),
        readLine: async (prompt) => {
          const line = lines.shift() ?? null;
          printed.stdout += `${prompt}${line ?? ''}\n`;
          return line;
        },
        stderr: { write: (text) => void (printed.stderr += text) },
        startThreads: startNearThreads,
        serve: () => Promise.reject(new Error('the service runs in a process of its own')),
      });
      return { code, ...printed };
    },
    /** Runs the built command line as a process. */
    inProcess: (words: string, more: Environment = {}) =>
      startChild('node', [CLI, ...wordsOf(words)], { cwd: folder, environment: { ...environment, ...more } })
        .ended,
    /** Runs a shell line that contains `callwright`. */
    inShell: (line: string) =>
      startChild('bash', ['-c', line.replace('callwright', `'${process.execPath}' '${CLI}'`)], {
        cwd: folder,
        environment,
      }).ended,
  };
}

function wordsOf(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}
