import { describe, expect, it } from 'vitest';
import type { Clock } from '#kernel/time/clock.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { createMemoryLog } from '#test/support/memory-log.js';

/** A machine whose one timer fires when the test says so, early or late. */
class LooseClock implements Clock {
  nowMs = 1_000.5;
  task: (() => void) | null = null;
  dueMs = 0;
  wallMs = () => 0;
  monotonicMs = () => this.nowMs;

  after(delayMs: number, task: () => void) {
    expect(this.task, 'only one timer for all').toBeNull();
    this.task = task;
    this.dueMs = this.nowMs + delayMs;
    return () => {
      if (this.task === task) this.task = null;
    };
  }

  /** Fires the timer so much later (or earlier) than it asked for. */
  fire(lateMs = 0): void {
    const { task } = this;
    this.task = null;
    this.nowMs = this.dueMs + lateMs;
    task!();
  }
}

function setUp() {
  const clock = new LooseClock();
  const { log, lines } = createMemoryLog();
  return { clock, lines, pacingTimer: createPacingTimer({ clock, log }) };
}

describe('the pacing timer', () => {
  it('ticks on a grid of 20 ms that does not drift, however late each tick comes', () => {
    const { clock, pacingTimer } = setUp();
    let turns = 0;
    pacingTimer.join(() => turns++);
    for (let i = 0; i < 1000; i++) clock.fire((i * 7) % 19);
    expect(turns).toBe(1000);
    expect(clock.dueMs).toBeCloseTo(1_000.5 + 1001 * 20, 6);
  });

  it('accepts a timer that fires slightly early, and rearms one that fires much too early', () => {
    const { clock, pacingTimer } = setUp();
    let turns = 0;
    pacingTimer.join(() => turns++);
    clock.fire(-0.5);
    expect(turns).toBe(1);
    clock.fire(-5);
    expect(turns).toBe(1);
    clock.fire();
    expect(turns).toBe(2);
  });

  it('loses no tick: a late one reports how many are due', () => {
    const { clock, pacingTimer } = setUp();
    const due: number[] = [];
    pacingTimer.join((turns) => void due.push(turns));
    for (const lateMs of [0, 19, 101, 0, 45, 45, 2_000, 0]) clock.fire(lateMs);
    expect(due).toEqual([1, 1, 6, 1, 3, 3, 101, 1]);
    expect(clock.dueMs).toBeCloseTo(1_000.5 + (due.reduce((sum, turns) => sum + turns) + 1) * 20, 6);
  });

  it('drops ticks beyond a minute, and those before a member joined', () => {
    const { clock, pacingTimer } = setUp();
    const due: number[] = [];
    const dueLater: number[] = [];
    pacingTimer.join((turns) => void due.push(turns));
    clock.fire();
    clock.nowMs += 5_000;
    pacingTimer.join((turns) => void dueLater.push(turns));
    clock.fire(5_000 + 45);
    clock.fire(3_600_000);
    expect(due).toEqual([1, 253, 3_000]);
    expect(dueLater).toEqual([4, 3_000]);
  });

  it('has no timer without members', () => {
    const { clock, pacingTimer } = setUp();
    const leaves = [pacingTimer.join(() => {}), pacingTimer.join(() => {})];
    expect(pacingTimer.members).toBe(2);
    leaves.forEach((leave) => leave());
    leaves.forEach((leave) => leave());
    expect(clock.task).toBeNull();
    pacingTimer.join(() => {});
    expect(clock.task).not.toBeNull();
  });

  it('lets members leave and join during a tick', () => {
    const { clock, pacingTimer } = setUp();
    const turned: string[] = [];
    const leaveA = pacingTimer.join(() => {
      turned.push('a');
      leaveA();
      leaveB();
      pacingTimer.join(() => turned.push('c'));
    });
    const leaveB = pacingTimer.join(() => turned.push('b'));
    clock.fire();
    clock.fire();
    expect(turned.filter((name) => name !== 'c')).toEqual(['a']);
    expect(pacingTimer.members).toBe(1);
    expect(turned.at(-1)).toBe('c');
  });

  it('removes a member that throws, and logs it', () => {
    const { clock, pacingTimer, lines } = setUp();
    let turns = 0;
    pacingTimer.join(() => {
      throw new Error('broken');
    });
    pacingTimer.join(() => turns++);
    clock.fire();
    clock.fire();
    expect(turns).toBe(2);
    expect(lines).toMatchObject([
      { level: 'error', msg: 'a member of the pacing timer threw and was removed' },
    ]);
  });
});
