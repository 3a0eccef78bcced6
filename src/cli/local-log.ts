import type { BufferedOutput } from '#kernel/log/log.js';

const QUIET_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);
const ROUTINE_LINE = /^\{"level":"(?:debug|info)"/;
/** More lines are not held back: then something else is going on than a demonstration. */
const MOST_HELD_LINES = 2_000;

/** The log of `local`, where people read something else at the same time. */
export interface LocalLog extends BufferedOutput {
  /**
   * Keeps what is no warning out of the way, until the returned function is called. Resolves when what was logged
   * before has been written.
   */
  suspend(): Promise<() => void>;
}

/** At a terminal: one line with level, sentence and fields. While it is suspended, what is no warning is left out. */
export function createTerminalLog(write: (line: string) => void): LocalLog {
  let isSuspended = false;
  return {
    write(line) {
      if (!isSuspended || !ROUTINE_LINE.test(line))
        write(readable(JSON.parse(line) as Record<string, unknown>));
    },
    flush: (done) => done(),
    async suspend() {
      isSuspended = true;
      return () => void (isSuspended = false);
    },
  };
}

/**
 * Anywhere else, such as in a file: JSON lines, as they are. While it is suspended, what is no warning waits for its
 * end, or for the first warning, so that nothing is lost and a transcript that goes to the same place is in one piece.
 */
export function createHeldLog(to: BufferedOutput): LocalLog {
  let held: string[] | null = null;
  const release = () => {
    for (const line of held?.splice(0) ?? []) to.write(line);
  };
  return {
    write(line) {
      if (held && ROUTINE_LINE.test(line) && held.length < MOST_HELD_LINES) {
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

function readable(entry: Record<string, unknown>): string {
  const { level, msg, err } = entry;
  const fields = Object.entries(entry)
    .filter(([field]) => !QUIET_FIELDS.has(field))
    .map(([field, value]) => `${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const stack = err && typeof err === 'object' && 'stack' in err ? `\n${String(err.stack)}` : '';
  return `${[String(level).toUpperCase().padEnd(5), String(msg), ...fields].join(' ')}${stack}\n`;
}
