import { DateTime } from 'luxon';
import type { CountryCode } from 'libphonenumber-js';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import type { AgentBrief, DialogueManager } from '#dialogue/dialogue-manager.js';
import { genericPlaybook } from '#playbook/book/generic-playbook.js';
import type { Playbook } from '#playbook/book/playbook.js';
import { PlaybookSession } from '#playbook/talk/playbook-session.js';
import { regionOf } from '#language/numbers/region.js';

/** Below this confidence nothing is read into what was heard. */
const USUAL_MIN_CONFIDENCE = 0.3;

export interface PlaybookDialogueOptions {
  /** Below this (0 to 1) an utterance counts as not understood; default 0.3. */
  minConfidence?: number;
  /** By which "tomorrow" is meant; default the machine's. */
  clock?: Pick<Clock, 'wallMs'>;
  /** IANA zone of calls that name none; default UTC. */
  timeZone?: string;
  /** Country whose phone numbers are said as they are there; default that of the agent's language. */
  region?: CountryCode | undefined;
}

/** Opens the dialogue of one call; a null playbook is a general one that takes a message. */
export type OpenPlaybook = (
  brief: AgentBrief,
  playbook: Playbook | null,
  /** Told of each step that waits for an answer. */
  onStep?: (step: string) => void,
) => DialogueManager;

/**
 * The dialogue manager without a model: follows a playbook. Deterministic: the same words at the same time get the
 * same answers.
 */
export function createPlaybookDialogue(options: PlaybookDialogueOptions = {}): OpenPlaybook {
  const { minConfidence = USUAL_MIN_CONFIDENCE, clock = systemClock, timeZone = 'UTC' } = options;
  return (brief, playbook, onStep = () => {}) => {
    const region = options.region ?? regionOf(brief.language);
    const zone = brief.timeZone ?? timeZone;
    const surroundings = () => ({ now: DateTime.fromMillis(clock.wallMs(), { zone }), region });
    const followed = playbook ?? genericPlaybook(brief.initialMessage);
    return new PlaybookSession(brief, { playbook: followed, minConfidence, surroundings, onStep });
  };
}
