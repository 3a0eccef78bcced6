import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Kernels of Linux count processor time in hundredths of a second for user space. */
const MICROS_PER_TICK = 10_000;

/**
 * Processor time that a PostgreSQL server has used so far (microseconds): of its first process, of all that run under
 * it, and of those that have ended.
 */
export function serverMicros(dataFolder: string): number {
  const postmaster = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]!;
  return familyMicros(Number(postmaster));
}

/** The same of any process and those that it has started. */
export function familyMicros(first: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(name);
    if (stat === null) continue;
    if (Number(name) === first) ticks += stat.own + stat.ofEnded;
    else if (stat.parent === first) ticks += stat.own;
  }
  return ticks * MICROS_PER_TICK;
}

/** Null for a process that has ended since. Source: proc_pid_stat(5). */
function statOf(pid: string): { parent: number; own: number; ofEnded: number } | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name of a program, the second field, may hold blanks and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return { parent: Number(fields[1]), own: user! + system!, ofEnded: endedUser! + endedSystem! };
}
