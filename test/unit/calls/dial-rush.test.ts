import { describe, expect, it } from 'vitest';
import { DialRush } from '../../../src/calls/lines/dial-rush.js';

describe('a rush of calls', () => {
  it('is on while as many are due as can be taken', () => {
    const rush = new DialRush();
    expect(rush.isOn).toBe(false);
    rush.taken(256, 256);
    expect(rush.isOn).toBe(true);
    rush.taken(3, 3);
    expect(rush.isOn).toBe(true);
    rush.taken(2, 3);
    expect(rush.isOn).toBe(false);
  });

  it('is over when nobody takes any more', () => {
    const rush = new DialRush();
    rush.taken(256, 256);
    rush.end();
    expect(rush.isOn).toBe(false);
  });
});
