import type { DestinationStream } from 'pino';

const QUIET_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);

/** The log as people read it at a terminal: one line with time, level, sentence and fields. Local use only. */
export function createTerminalLog(write: (line: string) => void): DestinationStream {
  return {
    write(line) {
      write(readable(JSON.parse(line) as Record<string, unknown>));
    },
  };
}

function readable(entry: Record<string, unknown>): string {
  const { level, msg, err } = entry;
  const fields = Object.entries(entry)
    .filter(([field]) => !QUIET_FIELDS.has(field))
    .map(([field, value]) => `${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const stack = err && typeof err === 'object' && 'stack' in err ? `\n${String(err.stack)}` : '';
  return `${[String(level).toUpperCase().padEnd(5), String(msg), ...fields].join(' ')}${stack}\n`;
}
