import type { DestinationStream } from 'pino';

const QUIET_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);
const CASUAL_LEVELS = new Set(['debug', 'info']);

/** The log as people read it at a terminal: one line with level, sentence and fields. Local use only. */
export interface TerminalLog extends DestinationStream {
  /** Leaves out what is no warning, until the returned function is called: something else is being read. */
  hush(): () => void;
}

export function createTerminalLog(write: (line: string) => void): TerminalLog {
  let hushed = 0;
  return {
    write(line) {
      const entry = JSON.parse(line) as Record<string, unknown>;
      if (hushed === 0 || !CASUAL_LEVELS.has(String(entry['level']))) write(readable(entry));
    },
    hush() {
      hushed += 1;
      return () => void (hushed -= 1);
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
