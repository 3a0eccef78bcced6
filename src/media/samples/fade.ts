/** A sound that breaks off within this time is heard to end; one that does from one sample to the next, to click. */
const FADE_MS = 5;

/** Samples of a fade to silence. */
export function fadeSamples(sampleRateHz: number): number {
  return (sampleRateHz * FADE_MS) / 1000;
}

/** What is left of the sound with so many samples to go until silence, of the `length` of a fade: from 1 down to 0. */
export function fadeGain(toGo: number, length: number): number {
  if (toGo >= length) return 1;
  return toGo <= 0 ? 0 : (1 - Math.cos((Math.PI * toGo) / length)) / 2;
}
