import { Semaphore } from '#kernel/work/semaphore.js';
import type { Tts } from '#speech/tts.js';

/**
 * A voice that speaks so many sentences at once, as the plan of an account allows: others wait for their turn, as long
 * as their caller does.
 */
export function limitedVoice(tts: Tts, places: number): Tts {
  const semaphore = new Semaphore(places);
  return {
    ...tts,
    async *speak(request) {
      const { signal } = request;
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
        // A turn that comes after it was given up is over at once.
        void turn.then(() => leave());
      }
    },
  };
}
