#!/usr/bin/env node
// The program `callwright <command>`: connects the command line (`cli/command-line.ts`) with the process.
import { runCommandLine } from '#cli/command-line.js';
import { lineReader } from '#cli/line-reader.js';
import { systemClock } from '#kernel/time/clock.js';

/** The exit code of a shell for a program whose reader has gone: 128 and SIGPIPE. */
const BROKEN_PIPE = 141;

process.stdout.on('error', endWithoutOutput);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  clock: systemClock,
  writeOutput: (text) => process.stdout.write(text),
  readLine: lineReader(process.stdin, process.stdout),
  stderr: process.stderr,
  serve: () => import('./main.js'),
});

/** A command prints its result when its work is done, so an early exit loses no work. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(BROKEN_PIPE);
  process.stderr.write(`callwright: the output cannot be written: ${message}\n`);
  process.exit(1);
}
