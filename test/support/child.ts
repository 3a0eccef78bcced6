import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A child process under test, with its output so far. */
export interface Child {
  readonly process: ChildProcess;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves with the first match in standard output; rejects if the process ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code or signal, and the whole output. */
  readonly ended: Promise<{ code: number | string | null; stdout: string; stderr: string }>;
}

/** Starts a program; `environment` is added to that of the tests. */
export function startChild(
  command: string,
  args: readonly string[],
  options: { cwd: string; environment?: Readonly<Record<string, string>> },
): Child {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, NODE_ENV: '', VITEST: '', ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text));
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, ...printed }));
  return {
    process: child,
    ended,
    get stdout() {
      return printed.stdout;
    },
    get stderr() {
      return printed.stderr;
    },
    prints(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(printed.stdout);
          if (!match) return;
          child.stdout.off('data', look);
          resolve(match);
        };
        child.stdout.on('data', look);
        look();
        void ended.then(({ code, stdout, stderr }) =>
          reject(new Error(`ended with ${code} and never printed ${pattern}:\n${stdout}\n${stderr}`)),
        );
      });
    },
  };
}
