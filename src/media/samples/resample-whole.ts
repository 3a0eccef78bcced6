import type { Resampling } from './resampler.js';

/** A whole piece of sound at another rate, starting where it started. */
export function resampleWhole(
  resampling: Resampling,
  samples: Int16Array,
  { fromHz, toHz }: { fromHz: number; toHz: number },
): Int16Array {
  if (fromHz === toHz) return samples;
  const stream = resampling.open({ fromHz, toHz, aligned: true });
  const body = stream.process(samples).slice();
  const tail = stream.flush();
  const whole = new Int16Array(body.length + tail.length);
  whole.set(body);
  whole.set(tail, body.length);
  stream.free();
  return whole;
}
