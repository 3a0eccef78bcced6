import { resampleWhole, loadResampling } from '#media/samples/resampler.js';
import type { Requests, Post, ThreadDuty } from '#providers/builtin/threads/protocol.js';
import { FLITE_RATE_HZ, FLITE_VOICES, FliteEngine } from './flite-engine.js';
import { normaliseLevel, trimSilence } from './wave-shaping.js';

/**
 * Loads the speaking duty of a speech thread, which turns texts of the built-in voice into audio, one after the other,
 * at the level and sample rate that a call needs. Started by `speech-thread.ts`; requests come from `SynthesisQueue`.
 */
export async function loadSpeakingDuty(post: Post): Promise<ThreadDuty> {
  const [flite, resampling] = await Promise.all([FliteEngine.load(), loadResampling()]);

  const speak = ({ text, voice, sampleRateHz }: Requests['speak']['input']) => {
    // Silence is trimmed first, so that it does not count as soft speech; and again, because levelling changes where
    // speech begins.
    const levelled = normaliseLevel(trimSilence(flite.speak(text, voice), FLITE_RATE_HZ));
    const trimmed = trimSilence(levelled, FLITE_RATE_HZ).slice();
    return resampleWhole(resampling, trimmed, { fromHz: FLITE_RATE_HZ, toHz: sampleRateHz });
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
        // The error of the engine is not passed on, because it may quote the text.
        if ('request' in message)
          post({ kind: 'failed', request: message.request, message: 'synthesis failed' });
      }
    },
  };
}
