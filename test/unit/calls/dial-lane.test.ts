import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LaneTurns, type Lane } from '#calls/queue/dial-lane.js';

/** What goes out, `room` calls at a time, while so many of each lane wait. */
function play(waiting: Record<Lane, number>, rooms: readonly number[]): Lane[] {
  const turns = new LaneTurns();
  const left = { ...waiting };
  const take = (lane: Lane, most: number): Lane[] => {
    const count = Math.max(0, Math.min(most, left[lane]));
    left[lane] -= count;
    return Array.from({ length: count }, () => lane);
  };
  return rooms.flatMap((room) => {
    const forBatches = turns.forBatches(room);
    const singles = take('single', room - forBatches);
    const batches = take('batch', room - singles.length);
    const went = [...singles, ...batches, ...take('single', room - singles.length - batches.length)];
    turns.recordClaimed(went);
    return went;
  });
}

const ones = (count: number) => Array.from({ length: count }, () => 1);
const letters = (lanes: readonly Lane[]) => lanes.map((lane) => lane[0]).join('');

describe('turns between single calls and calls of batches', () => {
  it('let single calls go first, and every fifth call be of a batch', () => {
    expect(letters(play({ single: 11, batch: 5 }, ones(16)))).toBe('ssssbssssbsssbbb');
  });

  it('leave everything to the lane that waits alone', () => {
    expect(letters(play({ single: 12, batch: 0 }, ones(12)))).toBe('s'.repeat(12));
    expect(letters(play({ single: 0, batch: 12 }, [...ones(6), 6]))).toBe('b'.repeat(12));
  });

  it('let a single call go next that comes while a batch is being dialled', () => {
    const turns = new LaneTurns();
    for (let call = 0; call < 7; call += 1) turns.recordClaimed(['batch']);
    expect(turns.forBatches(1)).toBe(0);
  });

  it('owe a batch that comes after many single calls no more than one turn', () => {
    const turns = new LaneTurns();
    for (let call = 0; call < 1_000; call += 1) turns.recordClaimed(['single']);
    expect(turns.forBatches(5)).toBe(1);
  });

  it('share out many free slots in the same way', () => {
    const went = play({ single: 1_000, batch: 1_000 }, [50]);
    expect(went.filter((lane) => lane === 'batch')).toHaveLength(10);
  });

  it('give neither lane more than the room that there is, and never let a batch stand still', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 }), (rooms) => {
        const went = play({ single: 10_000, batch: 10_000 }, rooms);
        expect(went).toHaveLength(rooms.reduce((sum, room) => sum + room, 0));
        const batches = went.filter((lane) => lane === 'batch').length;
        expect(batches).toBeLessThanOrEqual(went.length / 5);
        expect(batches).toBeGreaterThanOrEqual(Math.floor(went.length / 9));
      }),
    );
  });
});
