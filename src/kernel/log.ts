import { destination, pino, type DestinationStream, type Logger } from 'pino';
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
/** Little, because with every line all that is gathered is measured again. */
const GATHERED_BYTES = 4_096;
const LARGEST_WRITE_BYTES = 2 * GATHERED_BYTES;
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
export function bufferedOutput(fileDescriptor: number): BufferedOutput {
  const output = destination({
    dest: fileDescriptor,
    sync: false,
    minLength: GATHERED_BYTES,
    maxLength: MOST_GATHERED_BYTES,
    maxWrite: LARGEST_WRITE_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
  });
  let isStuck = false;
  output.on('error', () => (isStuck = true));
  output.on('write', () => (isStuck = false));
  // The original tries for ever, and would keep a process that ends from ending.
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => isStuck || flushSync();
  return output;
}
