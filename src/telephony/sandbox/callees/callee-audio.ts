import type { Log } from '#kernel/log/log.js';
import type { Tts } from '#speech/tts.js';
import { SANDBOX_SAMPLE_RATE_HZ } from '#telephony/sandbox/sound/sandbox-frames.js';
import type { LineNoise, Sound } from '#telephony/sandbox/personas/persona.js';
import { babbleOf, pinkNoise, soundOf } from './sounds.js';

/** Default voice of callees: a man's, unlike the agent's default. A synthesiser without it uses its own default. */
const DEFAULT_VOICE = 'rms';

/** The texts of the background babble. */
const SMALL_TALK = [
  'and then I told her that we would never go there again, not even for free',
  'the train was forty minutes late, so of course we missed the boat',
  'have you seen the new house by the river, the one with the green roof',
  'my brother always says that the weather was better when we were young',
  'two coffees and a piece of that cake, if there is any of it left',
  'no, on Wednesday they are closed, you have to come on another day',
];

/**
 * The audio of the sandbox network's simulated callees: spoken lines, sounds and background noise. `SimulatedCallee`
 * and `MediaStream` take their samples from it. All audio is at the sandbox's sample rate (8 kHz).
 */
export interface CalleeAudio {
  /** A spoken line, cached for later calls; null if synthesis failed, which is not cached. */
  speech(text: string, voice?: string): Promise<Int16Array | null>;
  /** A sound that is not spoken; generated sounds are cached as well. */
  sound(sound: Sound): Int16Array;
  /** A loop of noise at the level of a voice; null if it cannot be made. */
  noise(kind: LineNoise['kind']): Promise<Int16Array | null>;
  /** Aborts synthesis in progress. */
  close(): void;
}

/** Creates callee audio from a synthesiser. All calls of the network share its caches, which keep everything. */
export function createCalleeAudio(parts: { tts: Tts; log: Log }): CalleeAudio {
  const lines = new Map<string, Promise<Int16Array | null>>();
  const sounds = new Map<string, Int16Array>();
  const noises = new Map<LineNoise['kind'], Promise<Int16Array | null>>();
  const closing = new AbortController();

  /** Speaks a text; null after a failure. */
  async function synthesise(text: string, voice: string): Promise<Int16Array | null> {
    const request = { text, voice, language: 'en-US', sampleRateHz: SANDBOX_SAMPLE_RATE_HZ } as const;
    try {
      const pieces: Int16Array[] = [];
      for await (const piece of parts.tts.speak({ ...request, signal: closing.signal }))
        pieces.push(piece.slice());
      return concatenated(pieces);
    } catch (error) {
      if (!closing.signal.aborted) parts.log.warn({ err: error }, 'speech of a simulated callee failed');
      return null;
    }
  }

  /** Mixes several voices, which talk at the same time; null if none could be synthesised. */
  async function babble(): Promise<Int16Array | null> {
    const { voices } = parts.tts;
    const spoken = SMALL_TALK.map((text, i) => synthesise(text, voices[i % voices.length] ?? DEFAULT_VOICE));
    const talkers = (await Promise.all(spoken)).filter((samples) => samples !== null);
    return talkers.length === 0 ? null : babbleOf(talkers);
  }

  return {
    speech: (text, voice = DEFAULT_VOICE) => cached(lines, `${voice} ${text}`, () => synthesise(text, voice)),
    sound(sound) {
      if (sound.kind === 'recorded') return sound.samples;
      const key = `${sound.kind} ${sound.durationMs}`;
      const samples = sounds.get(key) ?? soundOf(sound);
      sounds.set(key, samples);
      return samples;
    },
    noise: (kind) => cached(noises, kind, async () => (kind === 'pink' ? pinkNoise() : babble())),
    close: () => closing.abort(),
  };
}

/** The cached or pending value of a key, else a new one. Failures are not cached. */
function cached<Key>(
  cache: Map<Key, Promise<Int16Array | null>>,
  key: Key,
  make: () => Promise<Int16Array | null>,
): Promise<Int16Array | null> {
  const earlier = cache.get(key);
  if (earlier) return earlier;
  const audio = make();
  cache.set(key, audio);
  void audio.then((samples) => samples === null && cache.delete(key));
  return audio;
}

function concatenated(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
