import { describe, expect, it } from 'vitest';
import { createToneDetector } from '#media/detecting/tone-detector.js';

const RATE_HZ = 8_000;
const FRAME = 160;
const CHORDS = [
  [262, 330, 392],
  [220, 262, 330],
];

/** A chord a second, each fading away, as music on hold is. */
function music(frame: number): Int16Array {
  return Int16Array.from({ length: FRAME }, (_, index) => {
    const at = (frame * FRAME + index) / RATE_HZ;
    const chord = CHORDS[Math.floor(at) % CHORDS.length]!;
    const loud = 3_000 * Math.exp(-2 * (at % 1));
    return Math.round(loud * chord.reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * at), 0));
  });
}

/** Something that sounds different every 80 ms, as speech does. */
function speech(frame: number): Int16Array {
  const hz = 200 + ((Math.floor(frame / 4) * 7_919) % 1_900);
  return Int16Array.from({ length: FRAME }, (_, index) =>
    Math.round(6_000 * Math.sin((2 * Math.PI * hz * (frame * FRAME + index)) / RATE_HZ)),
  );
}

describe('a steady sound', () => {
  it('is music, once it was heard for 2.4 s', () => {
    const sound = createToneDetector(RATE_HZ);
    const heard = Array.from({ length: 300 }, (_, frame) => sound.hear(music(frame)));
    expect(heard.indexOf(true)).toBe(119);
    expect(heard.slice(150).every(Boolean)).toBe(true);
  });

  it('ends half a second after speech begins', () => {
    const sound = createToneDetector(RATE_HZ);
    for (let frame = 0; frame < 200; frame += 1) sound.hear(music(frame));
    const heard = Array.from({ length: 100 }, (_, frame) => sound.hear(speech(frame)));
    expect(heard.lastIndexOf(true)).toBeLessThan(25);
  });

  it('is no speech', () => {
    const sound = createToneDetector(RATE_HZ);
    for (let frame = 0; frame < 500; frame += 1) expect(sound.hear(speech(frame))).toBe(false);
  });

  it('is forgotten', () => {
    const sound = createToneDetector(RATE_HZ);
    for (let frame = 0; frame < 200; frame += 1) sound.hear(music(frame));
    sound.reset();
    expect(sound.isSteady).toBe(false);
    expect(sound.hear(music(0))).toBe(false);
  });
});
