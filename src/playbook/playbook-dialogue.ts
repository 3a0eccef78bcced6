import { DateTime } from 'luxon';
import type { CountryCode } from 'libphonenumber-js';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import type { AgentBrief, DialogueManager } from '#dialogue/dialogue-manager.js';
import { genericPlaybook } from '#playbook/book/generic-playbook.js';
import type { Playbook } from '#playbook/book/playbook.js';
import type { OutsideParts } from '#playbook/talk/step-thread.js';
import { PlaybookSession } from '#playbook/talk/playbook-session.js';
import { CallLanguage } from '#language/languages/call-language.js';
import { USUAL_LANGUAGES } from '#language/languages/languages.js';
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

/** What a playbook may need beside its agent. */
export interface PlaybookCallParts {
  /** What steps need that talk freely or run tools; without it such a step leads to where it fails. */
  outside?: OutsideParts | null;
  /** Told of each step that waits for the caller, or takes long. */
  onStep?: (step: string) => void;
}

/** Opens the dialogue of one call; a null playbook is a general one that takes a message. */
export type OpenPlaybook = (
  brief: AgentBrief,
  playbook: Playbook | null,
  parts?: PlaybookCallParts,
) => DialogueManager;

/** Whether a playbook has steps that need a model, tools, or the time. */
export function needsOutside({ steps }: Playbook): boolean {
  return Object.values(steps).some(({ kind }) => kind === 'talk' || kind === 'tool' || kind === 'press');
}

/**
 * The dialogue manager that follows a playbook. Deterministic outside of its talks: the same words at the same time get
 * the same answers.
 */
export function createPlaybookDialogue(options: PlaybookDialogueOptions = {}): OpenPlaybook {
  const { minConfidence = USUAL_MIN_CONFIDENCE, clock = systemClock, timeZone = 'UTC' } = options;
  return (brief, playbook, parts = {}) => {
    const region = brief.region ?? options.region ?? regionOf(brief.language);
    const zone = brief.timeZone ?? timeZone;
    const language = brief.spoken ?? new CallLanguage(USUAL_LANGUAGES, brief.language);
    const surroundings = () => ({ now: DateTime.fromMillis(clock.wallMs(), { zone }), region, language });
    const followed = playbook ?? genericPlaybook(brief.initialMessage, language.current.sentences);
    return new PlaybookSession(brief, { playbook: followed, minConfidence, surroundings, ...parts });
  };
}
