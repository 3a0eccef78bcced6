import { DateTime } from 'luxon';
import type { CountryCode } from 'libphonenumber-js';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import type { AgentBrief, Thinking } from '#dialogue/dialogue-manager.js';
import { PlaybookSession } from '#playbook/talk/playbook-session.js';
import { regionOf } from '#playbook/values/words/region.js';

/** Below this confidence nothing is read into what was heard. */
const USUAL_MIN_CONFIDENCE = 0.3;

export interface PlaybookThinkingOptions {
  /** Below this (0 to 1) an utterance counts as not understood; default 0.3. */
  minConfidence?: number;
  /** By which "tomorrow" is meant; default the machine's. */
  clock?: Pick<Clock, 'wallMs'>;
  /** IANA zone of calls that name none; default UTC. */
  timeZone?: string;
  /** Country whose phone numbers are said as they are there; default that of the agent's language. */
  region?: CountryCode | undefined;
}

/**
 * Thinking without a model: follows the agent's playbook, or a general one when it has none. Deterministic: the same
 * words at the same time get the same answers.
 */
export function createPlaybookThinking(options: PlaybookThinkingOptions = {}): Thinking {
  const { minConfidence = USUAL_MIN_CONFIDENCE, clock = systemClock, timeZone = 'UTC' } = options;
  const open = (brief: AgentBrief) => {
    const region = options.region ?? regionOf(brief.language);
    const zone = brief.timeZone ?? timeZone;
    const surroundings = () => ({ now: DateTime.fromMillis(clock.wallMs(), { zone }), region });
    return new PlaybookSession(brief, { minConfidence, surroundings });
  };
  return { name: 'builtin', open };
}
