import type { Stt, SttOptions, SttSession } from '#speech/stt.js';
import type { SpeechParts } from '#providers/provider-definition.js';
import type { SttDialect } from './stt-dialect.js';
import { StreamingSession } from './streaming-session.js';

/**
 * Makes a recogniser (port `Stt`) from a vendor's streaming protocol, with one {@link StreamingSession} per call.
 * Opening rejects with a SpeechError if the vendor accepts no audio. Used by the providers with a streaming recogniser:
 * AssemblyAI, Deepgram, ElevenLabs and OpenAI.
 */
export function createStreamingStt(
  dialect: SttDialect,
  parts: Pick<SpeechParts, 'clock' | 'log' | 'connect'>,
): Stt {
  /** The sessions of the calls in progress. */
  const sessions = new Set<StreamingSession>();
  return {
    name: dialect.provider,
    hears: dialect.hears,
    async open(options: SttOptions): Promise<SttSession> {
      const session = new StreamingSession(dialect, options, {
        ...parts,
        onClosed: () => sessions.delete(session),
      });
      sessions.add(session);
      try {
        await session.ready;
      } catch (error) {
        session.close();
        throw error;
      }
      return session;
    },
    async close() {
      for (const session of sessions) session.close();
    },
  };
}
