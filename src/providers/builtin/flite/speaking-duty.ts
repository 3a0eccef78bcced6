import { resampleWhole, loadResampling } from '#media/samples/resampler.js';
import type { Requests, Post, ThreadDuty } from '#providers/builtin/threads/protocol.js';
import { FLITE_RATE_HZ, FLITE_VOICES, FliteEngine } from './flite-engine.js';
import { normaliseLevel, trimSilence } from './wave-shaping.js';

/**
 * The speaking duty of a speech thread: synthesises one text after the other, at the level and rate that a call needs.
 * Started by `speech-thread.ts`.
 */
export async function loadSpeakingDuty(post: Post): Promise<ThreadDuty> {
  const [flite, resampling] = await Promise.all([FliteEngine.load(), loadResampling()]);

  const speak = ({ text, voice, sampleRateHz }: Requests['speak']['input']) => {
    // Trimmed first, so that silence does not count as soft speech; and again, because levelling changes where speech
    // begins.
    const levelled = normaliseLevel(trimSilence(flite.speak(text, voice), FLITE_RATE_HZ));
    const wide = trimSilence(levelled, FLITE_RATE_HZ).slice();
    return resampleWhole(resampling, wide, { fromHz: FLITE_RATE_HZ, toHz: sampleRateHz });
  };

  return {
    receive(message) {
      try {
        if (message.kind === 'speak') {
          const samples = speak(message);
          post({ kind: 'done', request: message.request, answer: samples }, [samples.buffer as ArrayBuffer]);
        } else if (message.kind === 'warm_up') {
          // The first words cost several times as much as later ones, because the engine's code is compiled while it
          // runs.
          speak({ text: 'Hello.', voice: FLITE_VOICES[0], sampleRateHz: 8000 });
          post({ kind: 'done', request: message.request, answer: null });
        }
      } catch {
        if ('request' in message)
          post({ kind: 'failed', request: message.request, message: 'synthesis failed' });
      }
    },
  };
}
