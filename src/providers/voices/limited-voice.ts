import { Semaphore } from '#kernel/work/semaphore.js';
import type { Tts } from '#speech/tts.js';

/**
 * A voice with a limit of concurrent sentences, as the plans of vendors have. Further sentences wait for a place, first
 * come first served, until they are aborted.
 * @param places the limit, at least 1
 */
export function limitedVoice(tts: Tts, places: number): Tts {
  const semaphore = new Semaphore(places);
  return {
    ...tts,
    async *speak(request) {
      const { signal } = request;
      // The task of the semaphore ends with `leave`: the place is held while this generator runs.
      let leave = () => {};
      const turn = new Promise<void>((begin) => {
        void semaphore.run(() => {
          begin();
          return new Promise<void>((resolve) => (leave = resolve));
        });
      });
      const aborted = new Promise<void>((resolve) =>
        signal?.addEventListener('abort', () => resolve(), { once: true }),
      );
      try {
        await Promise.race([turn, aborted]);
        if (!signal?.aborted) yield* tts.speak(request);
      } finally {
        // A place granted after the abort is released at once.
        void turn.then(() => leave());
      }
    },
  };
}
