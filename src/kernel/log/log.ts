import { destination, pino, type DestinationStream, type Logger } from 'pino';
import { systemClock } from '#kernel/time/clock.js';
import { scrub } from './scrub.js';

/** The log port: facts in fields, a constant sentence as message. People's data is scrubbed wherever it is nested. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & {
  child(bindings: Record<string, unknown>): Log;
};

/** The five levels of the interface ("Runtime settings") and pino's names for them. */
const PINO_LEVELS = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'fatal',
} as const;
export type LogLevel = keyof typeof PINO_LEVELS;
export const LOG_LEVELS = Object.keys(PINO_LEVELS) as [LogLevel, ...LogLevel[]];

const STANDARD_OUTPUT = 1;
/** So much is handed on at once; a line that is longer, whole. */
const GATHERED_CHARACTERS = 16_384;
const LARGEST_WRITE_BYTES = 4 * GATHERED_CHARACTERS;
/** Whatever is handed on is written at once, one piece after the other. */
const ANYTHING = 1;
const FLUSH_EVERY_MS = 100;
/** What a full disk may leave waiting; lines beyond that are lost. */
const MOST_GATHERED_BYTES = 16 * 1024 * 1024;

/** A JSON-lines log; every line passes through {@link scrub} before it is written. */
export function createLog(level: LogLevel, to: DestinationStream = bufferedOutput(STANDARD_OUTPUT)): Logger {
  const options = {
    level: PINO_LEVELS[level],
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => scrub(fields) as Record<string, unknown>,
      bindings: (fields: Record<string, unknown>) => scrub(fields) as Record<string, unknown>,
    },
    // Errors are plain, scrubbed objects by now; pino's own serializer would call each of them an `Object`.
    serializers: { err: (error: unknown) => error },
    hooks: { streamWrite: (line: string) => scrub(line) as string },
  };
  return pino(options, to);
}

/** Where lines are gathered before they are written. */
export interface BufferedOutput extends DestinationStream {
  /** Writes what was gathered; calls back when it is written, or cannot be. */
  flush(done: () => void): void;
}

/**
 * Lines gathered and written off the main thread, after 0.1 s at the latest, and at once before the process ends: a
 * write for each line would hold up whatever is live. Only a kill loses what was gathered. What cannot be written, as
 * on a full disk, is tried again: a log is no reason to end live calls.
 * @param fileDescriptor 1 for standard output, 2 for standard error
 */
export function bufferedOutput(fileDescriptor: number): BufferedOutput & { flushSync(): void } {
  const output = destination({
    dest: fileDescriptor,
    sync: false,
    minLength: ANYTHING,
    maxLength: MOST_GATHERED_BYTES,
    maxWrite: LARGEST_WRITE_BYTES,
  });
  // Gathered here, because the original measures all that it has gathered with every line.
  let gathered = '';
  let callOff: (() => void) | null = null;
  let isStuck = false;
  output.on('write', () => (isStuck = false));
  output.on('error', () => {
    isStuck = true;
    callOff ??= systemClock.after(FLUSH_EVERY_MS, tryAgain);
  });
  const handOn = () => {
    callOff?.();
    callOff = null;
    if (gathered !== '') output.write(gathered);
    gathered = '';
  };
  const tryAgain = () => {
    handOn();
    output.flush();
  };
  const flushSync = output.flushSync.bind(output);
  // Called before the process ends: what is left is not begun in the background, where it might never be written. The
  // original tries for ever, and would keep the process from ending.
  output.flushSync = () => {
    if (isStuck) return;
    flushSync();
    const last = destination({ dest: fileDescriptor, sync: true }).on('error', () => {});
    last.write(gathered);
    gathered = '';
  };
  return {
    write(line) {
      gathered += line;
      if (gathered.length >= GATHERED_CHARACTERS) handOn();
      else callOff ??= systemClock.after(FLUSH_EVERY_MS, handOn);
    },
    flush(done) {
      handOn();
      output.flush(done);
    },
    // Asked for by pino itself, after a line that is fatal.
    flushSync: () => output.flushSync(),
  };
}
