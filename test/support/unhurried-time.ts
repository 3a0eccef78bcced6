import { systemClock, type Clock } from '#kernel/time/clock.js';
import { openBuiltInSpeech } from '#providers/builtin/built-in-speech.js';
import { createMemoryLog } from './memory-log.js';
import { slowedClock } from './slowed-clock.js';
import { overTheLine, pushFrames, spoken } from './telephone-line.js';

/** Two who talk at once. */
const TALKERS = ['yes I will be there on Wednesday at two', 'no I would rather come in the morning'];
/** The part of its time that a machine may need to speak and hear them and still have enough for whole calls. */
const EASE = 0.3;
/** Calls would take too long otherwise, to be waited for. */
const MOST_SLOWNESS = 6;

/**
 * The time in which calls are spoken that are judged to the tenth of a second: a machine that is too slow for them has
 * as much more time as it needs, and what it stands still for is no time at all. On a fast machine it is the machine's.
 */
export async function unhurriedTime(): Promise<Clock> {
  return slowedClock(systemClock, await measureSlowness());
}

/** How many times as long as calls last the machine needs for them; 1 when it has time to spare. */
async function measureSlowness(): Promise<number> {
  const speech = openBuiltInSpeech({ threads: TALKERS.length, log: createMemoryLog().log });
  try {
    await Promise.all(TALKERS.map((text) => speakAndHear(speech, text)));
    const ratios: number[] = [];
    for (const word of ['please', 'thanks', 'well']) {
      const startedMs = systemClock.monotonicMs();
      const soundsMs = await Promise.all(TALKERS.map((text) => speakAndHear(speech, `${text} ${word}`)));
      ratios.push((systemClock.monotonicMs() - startedMs) / Math.max(...soundsMs));
    }
    return Math.min(Math.max(1, Math.max(...ratios) / EASE), MOST_SLOWNESS);
  } finally {
    await speech.close();
  }
}

/** Returns how long the sound is, in milliseconds. */
async function speakAndHear(
  { tts, stt }: ReturnType<typeof openBuiltInSpeech>,
  text: string,
): Promise<number> {
  const sound = overTheLine(await spoken(tts, text, { voice: 'rms' }));
  const stream = await stt.open({ language: 'en-US', sampleRateHz: 8000 });
  stream.expect({ kind: 'yes_no' });
  pushFrames(stream, sound);
  await stream.finish();
  stream.close();
  return sound.length / 8;
}
