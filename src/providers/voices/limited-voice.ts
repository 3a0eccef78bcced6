import { Semaphore } from '#kernel/work/semaphore.js';
import type { Tts } from '#speech/tts.js';

/**
 * Wraps a voice with a limit of concurrent sentences, because a vendor's plan has one (`TTS_CONCURRENCY`). Further
 * sentences wait for a place, first come first served, until they are aborted. Used by `Voices`.
 * @param places the limit, at least 1
 */
export function limitedVoice(tts: Tts, places: number): Tts {
  const semaphore = new Semaphore(places);
  return {
    ...tts,
    async *speak(request) {
      const { signal } = request;
      // A semaphore holds a place while a task runs. This generator cannot be that task, so the task is a promise:
      // `placeGranted` resolves when it begins, and `releasePlace` ends it.
      let releasePlace = () => {};
      const placeGranted = new Promise<void>((grantPlace) => {
        void semaphore.run(() => {
          grantPlace();
          return new Promise<void>((resolve) => (releasePlace = resolve));
        });
      });
      const aborted = new Promise<void>((resolve) =>
        signal?.addEventListener('abort', () => resolve(), { once: true }),
      );
      try {
        await Promise.race([placeGranted, aborted]);
        if (!signal?.aborted) yield* tts.speak(request);
      } finally {
        // A place granted after the abort is released at once.
        void placeGranted.then(() => releasePlace());
      }
    },
  };
}
