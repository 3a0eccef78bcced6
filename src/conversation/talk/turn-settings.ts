/**
 * The numbers of turn-taking, in milliseconds. `npm run bench:turns` holds each of them against its neighbours on the
 * same simulated conversations; {@link USUAL_TURNS} are those that won: none of their neighbours costs less.
 */
export interface TurnSettings {
  /** Silence that ends the caller's turn while nothing is known of what is said. */
  openWindowMs: number;
  /** The same once the words so far answer the question. */
  answeredWindowMs: number;
  /** The same while a number is said: people pause between its groups. */
  digitsWindowMs: number;
  /** The same when the words so far ask for more of them ("and", "my"). */
  unfinishedWindowMs: number;
  /** The same while the agent waits in mid-sentence to hear what is meant. */
  yieldWindowMs: number;
  /** Voice over the agent for so long makes it pause. */
  pauseAfterMs: number;
  /** Words over the agent in less voice than this are no answer, unless they say stop. */
  meantFromMs: number;
  /** Voice for so long, with a word that is no back-channel, takes the floor. */
  commitAfterMs: number;
  /** Voice for so long takes the floor even when no word of it was understood. */
  wordlessCommitAfterMs: number;
  /** A pause that was not confirmed for so long was a mistake: the agent goes on. */
  resumeAfterMs: number;
  /** With so little left to say the agent does not pause: what is said then is an answer that comes early. */
  finishWithinMs: number;
  /** Voice up to this, without a word, is a cough or a click, not speech. */
  noiseUpToMs: number;
}

export const USUAL_TURNS: TurnSettings = {
  openWindowMs: 600,
  answeredWindowMs: 300,
  digitsWindowMs: 1_200,
  unfinishedWindowMs: 1_200,
  yieldWindowMs: 300,
  pauseAfterMs: 280,
  meantFromMs: 200,
  commitAfterMs: 500,
  wordlessCommitAfterMs: 500,
  resumeAfterMs: 2_000,
  finishWithinMs: 300,
  noiseUpToMs: 180,
};

/** No silence is waited out for longer, whatever was asked and however the words end. */
export const LONGEST_WINDOW_MS = 3_000;
