import { describe, expect, it } from 'vitest';
import { DictationDesk } from '../../../src/speech/threads/dictation-desk.js';
import type { SpeechLane } from '../../../src/speech/threads/speech-lane.js';
import { createMemoryLog } from '../../support/memory-log.js';

/** Lanes whose loading is finished, or fails, by hand. */
function lanesOf(count: number) {
  const loads: { lane: SpeechLane; done(): void; fail(): void }[] = [];
  const lanes = Array.from({ length: count }, () => {
    const lane = {
      request: () =>
        new Promise((resolve, reject) => {
          loads.push({ lane, done: () => resolve(null), fail: () => reject(new Error('no memory')) });
        }),
    } as unknown as SpeechLane;
    return lane;
  });
  return { lanes, loads };
}

const { log } = createMemoryLog();

describe('the desk of those who take dictation', () => {
  it('loads nobody before somebody is wanted, and one is enough until then', async () => {
    const { lanes, loads } = lanesOf(2);
    const desk = new DictationDesk(lanes, log);
    expect(desk.loaded).toBe(0);
    const ready = desk.prepare();
    void desk.prepare();
    expect(desk.take()).toBeNull();
    expect(loads.length).toBe(1);
    loads[0]!.done();
    await ready;
    expect(desk.take()).toBe(lanes[0]);
  });

  it('gives each to one caller at a time, and loads as many as are needed and no more than there may be', async () => {
    const { lanes, loads } = lanesOf(2);
    const desk = new DictationDesk(lanes, log);
    const first = desk.prepare();
    loads[0]!.done();
    await first;
    expect(desk.take()).toBe(lanes[0]);
    expect(desk.take()).toBeNull();
    loads[1]!.done();
    await Promise.resolve();
    expect(desk.take()).toBe(lanes[1]);
    for (let caller = 0; caller < 100; caller += 1) expect(desk.take()).toBeNull();
    expect([loads.length, desk.loaded]).toEqual([2, 2]);
    desk.giveBack(lanes[0]!, false);
    expect(desk.take()).toBe(lanes[0]);
  });

  it('has nobody where there are none', async () => {
    const desk = new DictationDesk([], log);
    await desk.prepare();
    expect([desk.take(), desk.loaded]).toEqual([null, 0]);
  });

  it('does without one that cannot be loaded', async () => {
    const { lanes, loads } = lanesOf(1);
    const desk = new DictationDesk(lanes, log);
    const ready = desk.prepare();
    loads[0]!.fail();
    await ready;
    await desk.prepare();
    expect([desk.take(), desk.loaded, loads.length]).toEqual([null, 0, 1]);
  });

  it('loads one anew whose thread died', async () => {
    const { lanes, loads } = lanesOf(1);
    const desk = new DictationDesk(lanes, log);
    const ready = desk.prepare();
    loads[0]!.done();
    await ready;
    desk.giveBack(desk.take()!, true);
    expect(desk.take()).toBeNull();
    loads[1]!.done();
    await Promise.resolve();
    expect(desk.take()).toBe(lanes[0]);
  });
});
