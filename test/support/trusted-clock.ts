import type { ClockTrust } from '#kernel/work/clock-watch.js';

/** A wall clock that is trusted whatever it shows, as after a downtime. */
export const TRUSTED: ClockTrust = { doubt: null, onSetBack: () => {} };
