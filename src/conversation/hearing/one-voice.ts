/** How the beginning of an utterance sounds, since the agent speaks, as far as no word of it was known. */
export interface VoiceEvidence {
  /** Milliseconds of voice that were listened to for their pitch. */
  readonly judgedMs: number;
  /** How much of that had the plain pitch of one voice. */
  readonly plainMs: number;
}

/** So much of a voice has a plain pitch: less is a cough, a rustle, or a room full of people. */
const PLAIN_SHARE = 0.2;
/** Of less than this nothing can be told. */
const SHORTEST_JUDGED_MS = 100;

/** Whether a voice of which no word is understood can be that of one person. */
export function isOneVoice({ judgedMs, plainMs }: VoiceEvidence): boolean {
  return judgedMs < SHORTEST_JUDGED_MS || plainMs >= PLAIN_SHARE * judgedMs;
}
