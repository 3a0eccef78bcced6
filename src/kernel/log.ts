import { pino, type DestinationStream, type Logger } from 'pino';
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

/** A JSON-lines log; every line passes through {@link scrub} before it is written. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
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
  return destination ? pino(options, destination) : pino(options);
}
