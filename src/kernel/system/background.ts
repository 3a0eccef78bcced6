import os from 'node:os';

/** As Linux counts: 0 is the usual niceness, 19 goes last. At 10 a thread still gets a tenth where all are busy. */
const BACKGROUND_NICENESS = 10;

/**
 * Called by a thread that computes, at its start: where the cores do not suffice, the thread that paces audio goes
 * first. A word that is understood a little later is no trouble, a frame that leaves late is heard. Linux only:
 * elsewhere priorities belong to the whole process. Our choice.
 */
export function runInBackground(): void {
  if (os.platform() !== 'linux') return;
  // Nobody may become less nice again: a service that was started with more of it keeps that.
  if (os.getPriority() < BACKGROUND_NICENESS) os.setPriority(BACKGROUND_NICENESS);
}
