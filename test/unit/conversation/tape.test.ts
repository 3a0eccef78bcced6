import { describe, expect, it } from 'vitest';
import { Tape } from '../../../src/conversation/tape.js';

const frame = (value: number) => new Int16Array(4).fill(value);

function start() {
  const written: [customer: number, agent: number][] = [];
  const recorder = {
    write: (customer: Int16Array, agent: Int16Array) => void written.push([customer[0]!, agent[0]!]),
  };
  return { written, tape: new Tape(recorder, 4) };
}

describe('the tape', () => {
  it('writes every tick once, in order, the newest ones when it is closed', () => {
    const { tape, written } = start();
    for (let tick = 0; tick < 100; tick += 1) tape.write(frame(tick), frame(1_000 + tick));
    expect(written.length).toBe(79);
    tape.close();
    expect(written).toEqual(Array.from({ length: 100 }, (_, tick) => [tick, 1_000 + tick]));
  });

  it('is silent where sound never came, and mended where it came late', () => {
    const { tape, written } = start();
    for (let tick = 0; tick < 30; tick += 1) tape.write(frame(9), frame(1));
    for (let tick = 30; tick < 50; tick += 1) tape.write(null, frame(2));
    for (let tick = 30; tick < 40; tick += 1) tape.mend(tick, frame(tick));
    tape.close();
    expect(written.slice(28, 42).map(([customer]) => customer)).toEqual([
      9, 9, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 0, 0,
    ]);
  });
});
