/**
 * Evidence of whether one person makes a sound, from the first 600 ms of voice in an utterance without recognised
 * words. It is collected again when the agent begins to speak. Made by `SpeakerClassifier`.
 */
export interface VoiceEvidence {
  /** Milliseconds of voice whose pitch was judged. */
  readonly judgedMs: number;
  /** Milliseconds of the judged voice that have the pitch of a single voice. */
  readonly singleVoiceMs: number;
}

/** Least share of single-voice pitch in one person's voice: a cough, a rustle or a crowd has less. */
const LEAST_SHARE = 0.2;
/** Less judged voice than this allows no decision: the sound may be a person's. */
const SHORTEST_JUDGED_MS = 100;

/** True if sound without recognised words may be the voice of one person. */
export function mayBeOneSpeaker({ judgedMs, singleVoiceMs }: VoiceEvidence): boolean {
  return judgedMs < SHORTEST_JUDGED_MS || singleVoiceMs >= LEAST_SHARE * judgedMs;
}
