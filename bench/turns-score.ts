import { FRAME_MS } from '#media/samples/audio.js';
import type { Wanted } from './turns-scenes.js';
import type { Story } from './turns-talk.js';

/** What a mistake costs, in milliseconds of somebody's time: about what it takes to put it right by talking. */
const MISTAKE_MS = 3_000;
/** An answer that has not begun by then was missed. */
const PATIENCE_MS = 3_000;

/** What one conversation came to. */
export interface Score {
  /** The agent spoke on over an interruption, or did not answer. */
  missed: boolean;
  /** The agent stopped for nothing, or answered before the caller had finished. */
  falsely: boolean;
  /** To silence, to the answer, or how long it was silent for nothing; null for a mistake. */
  tookMs: number | null;
}

export function score(story: Story, wanted: Wanted): Score {
  if (wanted === 'stop') return scoreInterruption(story);
  return wanted === 'go_on' ? scoreNothing(story) : scoreAnswer(story);
}

/** What a conversation costs: mistakes weigh most, the rest is time. */
export function costMs({ missed, falsely, tookMs }: Score): number {
  return missed || falsely ? MISTAKE_MS : (tookMs ?? 0);
}

function scoreInterruption({ soundFromMs, cutAtMs, loud }: Story): Score {
  if (cutAtMs === null) return { missed: true, falsely: false, tookMs: null };
  const silentAt = loud.indexOf(false, soundFromMs / FRAME_MS);
  return { missed: false, falsely: false, tookMs: silentAt * FRAME_MS - soundFromMs };
}

function scoreNothing({ soundFromMs, cutAtMs, loud, asked }: Story): Score {
  if (cutAtMs !== null || asked.length > 0) return { missed: false, falsely: true, tookMs: null };
  const lastLoud = loud.lastIndexOf(true);
  const silent = loud.slice(soundFromMs / FRAME_MS, lastLoud + 1).filter((isLoud) => !isLoud);
  return { missed: false, falsely: false, tookMs: silent.length * FRAME_MS };
}

function scoreAnswer({ soundToMs, answeredMs }: Story): Score {
  const [first] = answeredMs;
  if (first === undefined || first - soundToMs > PATIENCE_MS)
    return { missed: true, falsely: false, tookMs: null };
  if (first < soundToMs) return { missed: false, falsely: true, tookMs: null };
  return { missed: false, falsely: false, tookMs: first - soundToMs };
}
