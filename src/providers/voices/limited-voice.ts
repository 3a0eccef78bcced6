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
      // A semaphore holds a place while a task runs. This generator cannot be that task, so a promise stands in for it:
      // the promise begins when the place is granted and resolves when the sentence is over (`leave`).
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
