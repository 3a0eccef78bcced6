import type { BufferedOutput } from '#kernel/log/log.js';

// The log of `callwright serve` in environment `local`, whose terminal also shows the demonstration.

const HIDDEN_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);
/** Matches a JSON line below a warning. */
const ROUTINE_LINE = /^\{"level":"(?:debug|info)"/;
/** The limit of held lines, which a demonstration does not reach. At the limit all held lines are written. */
const MAX_HELD_LINES = 2_000;

/** A log that can be suspended while the terminal shows other output. */
export interface LocalLog extends BufferedOutput {
  /**
   * Holds back or drops lines below a warning until the returned function is called. Resolves when earlier lines are
   * written.
   */
  suspend(): Promise<() => void>;
}

/** The log for a terminal: lines with level, message and fields. While suspended, lines below a warning are dropped. */
export function createTerminalLog(write: (line: string) => void): LocalLog {
  let isSuspended = false;
  return {
    write(line) {
      if (!isSuspended || !ROUTINE_LINE.test(line))
        write(formatEntry(JSON.parse(line) as Record<string, unknown>));
    },
    flush: (done) => done(),
    async suspend() {
      isSuspended = true;
      return () => void (isSuspended = false);
    },
  };
}

/**
 * The log for any other output, such as a file: JSON lines, unchanged. While suspended, lines below a warning wait for
 * the end or for the next warning, so that nothing is lost and a transcript in the same file stays in one piece.
 */
export function createHeldLog(to: BufferedOutput): LocalLog {
  let held: string[] | null = null;
  const release = () => {
    for (const line of held?.splice(0) ?? []) to.write(line);
  };
  return {
    write(line) {
      if (held && ROUTINE_LINE.test(line) && held.length < MAX_HELD_LINES) {
        held.push(line);
        return;
      }
      release();
      to.write(line);
    },
    flush(done) {
      release();
      to.flush(done);
    },
    async suspend() {
      held = [];
      await new Promise<void>((resolve) => to.flush(resolve));
      return () => {
        release();
        held = null;
      };
    },
  };
}

/** A log entry as a line for people: `INFO  call ended call_id=…`, and the stack of an error. */
function formatEntry(entry: Record<string, unknown>): string {
  const { level, msg, err } = entry;
  const fields = Object.entries(entry)
    .filter(([field]) => !HIDDEN_FIELDS.has(field))
    .map(([field, value]) => `${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const stack = err && typeof err === 'object' && 'stack' in err ? `\n${String(err.stack)}` : '';
  return `${[String(level).toUpperCase().padEnd(5), String(msg), ...fields].join(' ')}${stack}\n`;
}
