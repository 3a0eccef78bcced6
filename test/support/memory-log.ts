import { Writable } from 'node:stream';
import { createLog, type Log } from '#kernel/log/log.js';

/** A log that keeps its lines, parsed, for assertions. */
export function createMemoryLog(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { log: createLog('DEBUG', destination), lines };
}
