import type { Resampling } from '#media/samples/resampler.js';
import type { LiveSession } from '#calls/live/sessions/live-session.js';

/**
 * Passes the audio of two joined calls to each other until one of them ends, converting the sample rate if necessary.
 * Used for warm transfers by `WarmTransfers`.
 */
export function relay(one: LiveSession, other: LiveSession, resampling: Resampling): void {
  oneWay(one, other, resampling);
  oneWay(other, one, resampling);
}

/** Passes the audio of `from` to the person on `to`. */
function oneWay(from: LiveSession, to: LiveSession, resampling: Resampling): void {
  const rates = { fromHz: from.sampleRateHz, toHz: to.sampleRateHz };
  const resampler = rates.fromHz === rates.toHz ? null : resampling.open(rates);
  let isOver = false;
  const hear = (samples: Int16Array) => {
    if (!isOver) to.steering.speak(resampler ? resampler.process(samples) : samples);
  };
  const stop = from.otherLine.join(to, hear, to.nowMs - from.nowMs);
  const end = () => {
    if (isOver) return;
    isOver = true;
    stop();
    resampler?.free();
  };
  from.onOver(end);
  to.onOver(end);
}
