import { destination, pino, type DestinationStream, type Logger } from 'pino';
import { systemClock } from '#kernel/time/clock.js';
import { scrub } from './scrub.js';

/** The port of the log: data in fields, a constant sentence as message. Personal data and secrets are scrubbed. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & {
  child(bindings: Record<string, unknown>): Log;
};

/** The levels of `LOG_LEVEL` (docs/settings.md) and pino's names for them. */
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
/** At this size, collected lines are passed on to the destination. */
const BUFFERED_CHARACTERS = 16_384;
/** The most bytes of one write by the destination. */
const MAX_WRITE_BYTES = 4 * BUFFERED_CHARACTERS;
/** The destination collects no lines, because this module does: it writes each text when the last write has ended. */
const MIN_WRITE_BYTES = 1;
/** The longest time that a line is collected, and the pause after a write that failed. */
const FLUSH_EVERY_MS = 100;
/** The limit of buffered bytes while the disk is full; further lines are lost. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Creates the log of a process: JSON lines, whose fields and whole text pass through {@link scrub}. */
export function createLog(level: LogLevel, to: DestinationStream = bufferedOutput(STANDARD_OUTPUT)): Logger {
  const options = {
    level: PINO_LEVELS[level],
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => scrub(fields) as Record<string, unknown>,
      bindings: (fields: Record<string, unknown>) => scrub(fields) as Record<string, unknown>,
    },
    // `scrub` has made plain objects of errors; pino's own serializer would give each the type `Object`.
    serializers: { err: (error: unknown) => error },
    hooks: { streamWrite: (line: string) => scrub(line) as string },
  };
  return pino(options, to);
}

/** The destination of a log that collects lines and writes them together. */
export interface BufferedOutput extends DestinationStream {
  /** Writes the buffered lines; calls back when they are written, or cannot be. */
  flush(done: () => void): void;
}

/**
 * Buffers lines and writes them off the main thread after 0.1 s at most, and synchronously before the process exits: a
 * write for each line would delay the audio of live calls. A write that fails, as on a full disk, is tried again. Lines
 * are lost only if the process is killed, or if the disk stays full until the buffer is, or until the exit.
 * @param fileDescriptor 1 for standard output, 2 for standard error
 */
export function bufferedOutput(fileDescriptor: number): BufferedOutput & { flushSync(): void } {
  const output = destination({
    dest: fileDescriptor,
    sync: false,
    minLength: MIN_WRITE_BYTES,
    maxLength: MAX_BUFFERED_BYTES,
    maxWrite: MAX_WRITE_BYTES,
  });
  // Lines are collected here: sonic-boom, pino's writer, measures its whole buffer again for every line it is given.
  let buffered = '';
  let cancelFlush: (() => void) | null = null;
  /** True from a write that failed until one that succeeded. */
  let isStuck = false;
  output.on('write', () => (isStuck = false));
  output.on('error', () => {
    isStuck = true;
    cancelFlush ??= systemClock.after(FLUSH_EVERY_MS, retry);
  });
  const writeBuffer = () => {
    cancelFlush?.();
    cancelFlush = null;
    if (buffered !== '') output.write(buffered);
    buffered = '';
  };
  const retry = () => {
    writeBuffer();
    output.flush();
  };
  const flushSync = output.flushSync.bind(output);
  // Called before the process exits: the rest is written synchronously, because a background write might never finish.
  // sonic-boom's own `flushSync` retries for ever when the disk is full, and would keep the process from exiting.
  output.flushSync = () => {
    if (isStuck) return;
    flushSync();
    const last = destination({ dest: fileDescriptor, sync: true }).on('error', () => {});
    last.write(buffered);
    buffered = '';
  };
  return {
    write(line) {
      buffered += line;
      if (buffered.length >= BUFFERED_CHARACTERS) writeBuffer();
      else cancelFlush ??= systemClock.after(FLUSH_EVERY_MS, writeBuffer);
    },
    flush(done) {
      writeBuffer();
      output.flush(done);
    },
    // pino calls this after a fatal line.
    flushSync: () => output.flushSync(),
  };
}
