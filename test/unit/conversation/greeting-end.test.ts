import { expect, it } from 'vitest';
import { GreetingEndDetector } from '#conversation/answering/greeting-end.js';
import { FRAME_MS } from '#media/samples/audio.js';

/** How long it takes until the moment comes, in milliseconds; endless when it has not within a minute. */
function waitedMs(moment: GreetingEndDetector, isSpeakingAt: (ms: number) => boolean): number {
  for (let atMs = FRAME_MS; atMs <= 60_000; atMs += FRAME_MS)
    if (moment.tick(isSpeakingAt(atMs))) return atMs;
  return Infinity;
}

it('a message is left once nobody has spoken for three seconds, or when somebody has for forty', () => {
  expect(waitedMs(new GreetingEndDetector(), () => false)).toBe(3_000);
  expect(waitedMs(new GreetingEndDetector(), (ms) => ms <= 5_000)).toBe(8_000);
  expect(waitedMs(new GreetingEndDetector(), (ms) => ms % 2_000 === 0)).toBe(40_000);
  expect(waitedMs(new GreetingEndDetector(), () => true)).toBe(40_000);
});

it('a message is left at once when the greeting is known to be over', () => {
  const moment = new GreetingEndDetector();
  expect(moment.tick(true)).toBe(false);
  moment.greetingEnded();
  expect(moment.tick(true)).toBe(true);
});
