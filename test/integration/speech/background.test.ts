import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { createMemoryLog } from '#test/support/memory-log.js';

/** Where `/proc/<pid>/stat` holds the niceness, counted from behind the thread's name, which may contain spaces. */
const NICENESS = 16;

/** How nice each thread of this process is, by its number; the main thread has that of the process. */
function niceness(): Map<number, number> {
  const tasks = readdirSync('/proc/self/task').map((task): [number, number] => {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8');
    return [Number(task), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[NICENESS])];
  });
  return new Map(tasks);
}

describe.runIf(process.platform === 'linux')('threads that compute', () => {
  const pool = createSpeechPool({ threads: 1, log: createMemoryLog().log });
  const before = niceness();

  beforeAll(() => pool.warmUp());
  afterAll(() => pool.close());

  it('give way to the one that paces audio', () => {
    const usual = before.get(process.pid)!;
    const after = niceness();
    const background = [...after].filter(([task, nice]) => !before.has(task) && nice === Math.max(usual, 10));

    expect(background.length).toBeGreaterThanOrEqual(2);
    expect(after.get(process.pid)).toBe(usual);
  });
});
