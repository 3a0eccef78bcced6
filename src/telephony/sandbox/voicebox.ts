import type { Log } from '../../kernel/log.js';
import type { Speaking } from '../../speech/speaking.js';
import { SANDBOX_SAMPLE_RATE_HZ } from './line.js';

/** The voice of all callees, where the synthesiser has it: a man's, to be told from the agent's default. */
const VOICE = 'rms';

/** The callees' lines as sound. */
export interface Voicebox {
  /** The sound of a line, kept for the next call that needs it; null when it cannot be synthesised. */
  line(text: string): Promise<Int16Array | null>;
  close(): void;
}

/** Callees' lines through a synthesiser; each is spoken once in the life of the network. */
export function createVoicebox(parts: { speaking: Speaking; log: Log }): Voicebox {
  const lines = new Map<string, Promise<Int16Array | null>>();
  const closing = new AbortController();

  async function synthesise(text: string): Promise<Int16Array | null> {
    const request = { text, voice: VOICE, language: 'en-US', sampleRateHz: SANDBOX_SAMPLE_RATE_HZ } as const;
    try {
      const pieces: Int16Array[] = [];
      for await (const piece of parts.speaking.speak({ ...request, signal: closing.signal }))
        pieces.push(piece.slice());
      return joined(pieces);
    } catch (error) {
      if (!closing.signal.aborted) parts.log.warn({ err: error }, 'a callee lost its voice');
      return null;
    }
  }

  return {
    line(text) {
      const known = lines.get(text);
      if (known) return known;
      const line = synthesise(text);
      lines.set(text, line);
      void line.then((sound) => sound === null && lines.delete(text));
      return line;
    },
    close: () => closing.abort(),
  };
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
