import type { ClockTrust } from '#kernel/work/clock-watch.js';

/** A wall clock that is believed wherever it jumps to, as after a downtime. */
export const TRUSTED: ClockTrust = { doubt: null, onSetBack: () => {} };
