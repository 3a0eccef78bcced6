// The processes of a benchmark: all run the file that was started, each in a role of its own.
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A server, whose log is written, as in production, and not kept. */
export function startServer(...args: string[]): ChildProcess {
  return start(args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** A child whose work is measured, with the options of Node that this process was given. */
export function startMeasured(...args: string[]): ChildProcess {
  return start(args, {});
}

/** A child that fails takes the run with it. */
function start(args: readonly string[], options: ForkOptions): ChildProcess {
  // JSON has no word for NaN, the percentile of nothing.
  const child = fork(process.argv[1]!, args, { ...options, serialization: 'advanced' });
  child.on('exit', (code) => {
    if (code === 0) return;
    process.stderr.write(`${args[0]} ended with ${code}\n`);
    process.exit(1);
  });
  return child;
}

/** The next message of a child. */
export async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

/** The one message of a child, which is let go of then. */
export async function resultOf<Result>(child: ChildProcess): Promise<Result> {
  const exited = once(child, 'exit');
  const result = await answerOf<Result>(child);
  child.disconnect();
  await exited;
  return result;
}

/** On the disk of the project, because a temporary folder may lie in memory; it goes when the process ends. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), 'data-'));
  // A thread that has not ended yet may still write.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
