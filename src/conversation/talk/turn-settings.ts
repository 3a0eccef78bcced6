/**
 * The settings of turn-taking, in milliseconds: when the caller's turn ends, and when speech over the agent interrupts.
 * `npm run bench:turns` compares each value of {@link DEFAULT_TURN_SETTINGS} with smaller and larger values on the same
 * simulated conversations; no other value has a lower cost.
 */
export interface TurnSettings {
  /** End-of-turn silence while the words say nothing about the end of the turn. */
  openWindowMs: number;
  /** End-of-turn silence once the words so far answer the question. */
  answeredWindowMs: number;
  /** End-of-turn silence during a number: callers pause between groups of digits. */
  digitsWindowMs: number;
  /** End-of-turn silence if the words so far need a continuation ("and", "my"). */
  unfinishedWindowMs: number;
  /** End-of-turn silence while the agent pauses in mid-sentence. */
  yieldWindowMs: number;
  /** Voice over the agent of this length makes it pause. */
  pauseAfterMs: number;
  /** Words over the agent are ignored if they had less voice than this, unless they ask the agent to stop. */
  meantFromMs: number;
  /** Voice over the agent of this length takes the turn, if it contains a word other than a back-channel. */
  commitAfterMs: number;
  /** Voice over the agent of this length takes the turn without a recognised word. */
  wordlessCommitAfterMs: number;
  /** Longest pause of the agent without a confirmed interruption; then it continues. */
  resumeAfterMs: number;
  /** With less than this left to say, the agent does not pause: the caller's speech is an early answer. */
  finishWithinMs: number;
  /** Voice up to this length without a word is a cough or a click. */
  noiseUpToMs: number;
}

/** The settings of all calls; the benchmark tries others. */
export const DEFAULT_TURN_SETTINGS: TurnSettings = {
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

/** Upper limit of every end-of-turn window. */
export const LONGEST_WINDOW_MS = 3_000;
