/** How the beginning of an utterance sounds, since the agent began to speak, while no word of it is recognised. */
export interface VoiceEvidence {
  /** Milliseconds of voice whose pitch was judged. */
  readonly judgedMs: number;
  /** Milliseconds of those that had the plain pitch of one voice. */
  readonly plainMs: number;
}

/** Least share of plain pitch in one person's voice: a cough, a rustle or a crowd has less. */
const PLAIN_SHARE = 0.2;
/** Less judged voice than this allows no decision. */
const SHORTEST_JUDGED_MS = 100;

/** True if a voice without recognised words can be that of one person. */
export function isOneVoice({ judgedMs, plainMs }: VoiceEvidence): boolean {
  return judgedMs < SHORTEST_JUDGED_MS || plainMs >= PLAIN_SHARE * judgedMs;
}
