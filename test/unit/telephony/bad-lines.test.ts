import { describe, expect, it } from 'vitest';
import { createBadConnection } from '#telephony/sandbox/calls/bad-connection.js';
import { createNoiseMixer } from '#telephony/sandbox/sound/line-noise.js';
import { babbleOf, pinkNoise, soundOf } from '#telephony/sandbox/callees/sounds.js';

const GOOD = { lostShare: 0, lateShare: 0, lateMs: 120, swappedShare: 0 };
const FRAMES = 5_000;

/** What arrives of so many frames, by the turn in which it does. */
function travel(conditions: Partial<typeof GOOD>, seed = '+15550100018') {
  const turns: number[][] = [];
  const connection = createBadConnection(
    { ...GOOD, ...conditions },
    { seed, send: (message) => turns.at(-1)!.push(Number(message)) },
  );
  for (let frame = 0; frame < FRAMES; frame++) {
    turns.push([]);
    connection.pass(String(frame));
  }
  return turns;
}

function level(samples: Int16Array): number {
  return 10 * Math.log10(samples.reduce((sum, one) => sum + one * one, 0) / samples.length / 32_767 ** 2);
}

describe('a bad connection', () => {
  it('without faults is a good one', () => {
    expect(travel({})).toEqual(Array.from({ length: FRAMES }, (_, frame) => [frame]));
  });

  it('loses its share of the frames, the rest stays in order and in time', () => {
    const turns = travel({ lostShare: 0.05 });
    const arrived = turns.flat();
    expect(arrived.length / FRAMES).toBeGreaterThan(0.93);
    expect(arrived.length / FRAMES).toBeLessThan(0.97);
    for (const [turn, frames] of turns.entries()) expect([[], [turn]]).toContainEqual(frames);
  });

  it('holds frames up and then lets them come in a burst, in order', () => {
    const turns = travel({ lateShare: 0.02, lateMs: 100 });
    expect(turns.flat()).toEqual(Array.from({ length: turns.flat().length }, (_, frame) => frame));
    const bursts = turns.filter((frames) => frames.length > 1);
    expect(bursts.length).toBeGreaterThan(50);
    for (const burst of bursts) expect(burst).toHaveLength(6);
  });

  it('swaps neighbours', () => {
    const arrived = travel({ swappedShare: 0.1 }).flat();
    const swapped = arrived.filter((frame, at) => frame !== at);
    expect(swapped.length).toBeGreaterThan(500);
    for (const [at, frame] of arrived.entries()) expect(Math.abs(frame - at)).toBeLessThanOrEqual(1);
  });

  it('is bad in the same way every time, and differs from number to number', () => {
    expect(travel({ lostShare: 0.1 })).toEqual(travel({ lostShare: 0.1 }));
    expect(travel({ lostShare: 0.1 })).not.toEqual(travel({ lostShare: 0.1 }, '+15550100017'));
  });
});

describe('noise on a line', () => {
  it.each([
    ['pink', pinkNoise()],
    [
      'babble',
      babbleOf([soundOf({ kind: 'music', durationMs: 900 }), soundOf({ kind: 'cough', durationMs: 300 })]),
    ],
  ])('of %s is as loud as a voice before it is turned down', (_name, loop) => {
    expect(level(loop)).toBeCloseTo(-18, 0);
  });

  it('lies under speech and silence at the distance asked for, and goes on without end', () => {
    const mouthpiece = createNoiseMixer(pinkNoise(), 20);
    const heard = new Int16Array(160 * 400);
    for (let frame = 0; frame < 400; frame++) heard.set(mouthpiece.mix(null), frame * 160);
    expect(level(heard)).toBeCloseTo(-38, 0);

    const said = new Int16Array(160).fill(5_000);
    const mixed = mouthpiece.mix(said);
    expect(mixed.reduce((sum, one) => sum + one, 0) / 160).toBeGreaterThan(4_000);
    expect([...said]).toEqual(Array(160).fill(5_000));
  });

  it('never overflows', () => {
    const mouthpiece = createNoiseMixer(new Int16Array(160).fill(30_000), 0);
    expect([...mouthpiece.mix(new Int16Array(160).fill(30_000))]).toEqual(Array(160).fill(32_767));
  });
});

describe('the sounds of the network', () => {
  it('last as long as they should, and can be heard', () => {
    for (const kind of ['beep', 'music', 'cough'] as const) {
      const samples = soundOf({ kind, durationMs: 6_000 });
      expect(samples).toHaveLength(48_000);
      expect(level(samples)).toBeGreaterThan(-25);
    }
  });

  it('beep at 1 kHz', () => {
    const beep = soundOf({ kind: 'beep', durationMs: 1_000 });
    const rising = beep.filter((sample, at) => at > 0 && beep[at - 1]! < 0 && sample >= 0);
    expect(Math.abs(rising.length - 1_000)).toBeLessThanOrEqual(1);
  });
});
