import { describe, expect, it } from 'vitest';
import { Slots } from '#calls/lines/slots.js';

describe('conversation slots', () => {
  it('are kept free for whoever calls in', () => {
    const slots = new Slots({ capacity: 3, reservedForInbound: 1 });
    slots.take('out-1', 'outbound');
    slots.take('out-2', 'outbound');
    expect([slots.free('outbound'), slots.free('inbound')]).toEqual([0, 1]);
    slots.take('in-1', 'inbound');
    expect(slots.free('inbound')).toBe(0);
    slots.release('out-1');
    expect([slots.free('outbound'), slots.free('inbound')]).toEqual([1, 1]);
  });

  it('may all go to callers: the reserve is theirs, not a limit', () => {
    const slots = new Slots({ capacity: 2, reservedForInbound: 1 });
    slots.take('in-1', 'inbound');
    slots.take('in-2', 'inbound');
    expect([slots.free('outbound'), slots.free('inbound')]).toEqual([0, 0]);
  });

  it('leave at least one to be dialled with', () => {
    expect(new Slots({ capacity: 1, reservedForInbound: 5 }).free('outbound')).toBe(1);
  });

  it('are taken once and freed once, however often that is said', () => {
    const slots = new Slots({ capacity: 2, reservedForInbound: 0 });
    let freed = 0;
    slots.onFree(() => (freed += 1));
    slots.take('a', 'outbound');
    slots.take('a', 'inbound');
    expect(slots.free('outbound')).toBe(1);
    slots.release('a');
    slots.release('a');
    expect([slots.free('outbound'), freed]).toEqual([2, 1]);
  });
});
