import { describe, expect, it } from 'vitest';
import { FULL_QUEUE, nextStep, NUMBERS_PER_STEP, type PacingInput } from '#batches/dispatch/pacing.js';
import type { CallWindow } from '#policy/hours/call-window.js';

const HOUR_MS = 3_600_000;
/** A Tuesday at noon, UTC. */
const NOON = Date.UTC(2026, 11, 1, 12);
const AFTERNOON: CallWindow = { startMinute: 13 * 60, endMinute: 17 * 60, days: 0b1111111, timezone: 'UTC' };

const standing = (changes: Partial<PacingInput>): PacingInput => ({
  now: NOON,
  scheduledAt: NOON,
  window: null,
  maxConcurrency: 30,
  inFlight: 0,
  nextDueAt: 0,
  queued: 0,
  batchesQueued: 1,
  ...changes,
});

describe('pacing', () => {
  it.each<[string, Partial<PacingInput>, number, number | null]>([
    ['a turn is small', {}, NUMBERS_PER_STEP, null],
    ['no more than there is room for', { inFlight: 26 }, 4, null],
    ['no room: until one ends', { inFlight: 30 }, 0, null],
    ['more live than allowed, since that was changed', { inFlight: 31 }, 0, null],
    ['nobody waits', { nextDueAt: null }, 0, null],
    ['not its time yet', { scheduledAt: NOON + 1 }, 0, NOON + 1],
    ['everybody waits for a later try', { nextDueAt: NOON + HOUR_MS }, 0, NOON + HOUR_MS],
    ['outside its window', { window: AFTERNOON }, 0, NOON + HOUR_MS],
    ['inside its window', { now: NOON + HOUR_MS, window: AFTERNOON }, NUMBERS_PER_STEP, null],
    ['a window of the callees is a matter of each', { window: { ...AFTERNOON, timezone: null } }, 10, null],
    ['a window that never opens', { window: { ...AFTERNOON, days: 0 } }, 0, null],
    ['the queue is full', { queued: FULL_QUEUE }, 0, NOON + 500],
    ['the queue is nearly full', { queued: FULL_QUEUE - 1 }, 1, null],
    ['its share of the queue is nearly used', { queued: 47, batchesQueued: 2 }, 3, null],
    ['its share of the queue is used', { queued: 50, batchesQueued: 2 }, 0, NOON + 500],
    ['many batches share the queue', { queued: 9, batchesQueued: 40 }, 1, null],
  ])('%s', (_case, changes, release, until) => {
    expect(nextStep(standing(changes))).toEqual({ release, until });
  });
});
