import { createRandom } from '#telephony/sandbox/sound/line-noise.js';
import { framesIn } from '#telephony/sandbox/sound/sandbox-frames.js';
import type { LineConditions } from '#telephony/sandbox/personas/persona.js';

/** The path of audio frames from a simulated callee to the service. */
export interface Connection {
  /** Takes the message of the next frame, every 20 ms; messages that arrive now are sent before this returns. */
  pass(message: string): void;
}

/**
 * Creates a connection that loses, delays and swaps frames, in the same way for the same seed. `MediaStream` uses it
 * for personas with a bad line.
 */
export function createBadConnection(
  conditions: Pick<LineConditions, 'lostShare' | 'lateShare' | 'lateMs' | 'swappedShare'>,
  parts: { seed: string; send(message: string): void },
): Connection {
  const { lostShare, lateShare, lateMs, swappedShare } = conditions;
  const draw = createRandom(parts.seed);
  const held: string[] = [];
  // Frames until the held messages are sent. A late frame holds everything back for `lateMs`.
  let framesToHold = 0;
  // True while a frame waits for its successor, which is then sent first.
  let isSwapping = false;
  return {
    pass(message) {
      if (draw() >= lostShare) held.push(message);
      if (framesToHold > 0) framesToHold -= 1;
      else if (draw() < lateShare) framesToHold = framesIn(lateMs);
      else if (draw() < swappedShare) [framesToHold, isSwapping] = [1, true];
      if (framesToHold > 0) return;
      if (isSwapping) held.reverse();
      isSwapping = false;
      for (const arrived of held.splice(0)) parts.send(arrived);
    },
  };
}
