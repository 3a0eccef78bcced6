import { DateTime } from 'luxon';
import type { CountryCode } from 'libphonenumber-js';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import type { AgentBrief, DialogueManager } from '#dialogue/dialogue-manager.js';
import { genericPlaybook } from '#playbook/definition/generic-playbook.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import type { StepContext } from '#playbook/talk/model-session.js';
import { PlaybookSession } from '#playbook/talk/playbook-session.js';
import { CallLanguage } from '#language/languages/call-language.js';
import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';
import { regionOf } from '#language/numbers/region.js';

/** Default of `minConfidence`. */
const DEFAULT_MIN_CONFIDENCE = 0.3;

/** The settings that all calls with playbooks share. */
export interface PlaybookDialogueOptions {
  /** Utterances below this confidence (0 to 1) count as not understood; default 0.3. */
  minConfidence?: number;
  /** The clock that "tomorrow" refers to; default the machine's. */
  clock?: Pick<Clock, 'wallMs'>;
  /** IANA zone of calls that name none; default UTC. */
  timeZone?: string;
  /** The country for phone numbers said without a country code; default that of the agent's language. */
  region?: CountryCode | undefined;
}

/** The dependencies of one call's playbook, in addition to its agent. */
export interface PlaybookCallParts {
  /**
   * Model and tools for talk, tool and press steps. Without them these steps go to `otherwise`, `on_error` or `next`.
   */
  context?: StepContext | null;
  /**
   * Called with the name of each step that the call reaches and that waits: for the caller, a model, a server or a
   * menu.
   */
  onStep?: (step: string) => void;
}

/** Opens the dialogue of one call. A null playbook means the generic one, which takes a message. */
export type OpenPlaybook = (
  brief: AgentBrief,
  playbook: Playbook | null,
  parts?: PlaybookCallParts,
) => DialogueManager;

/** True if a playbook has steps that need a model, tools or a timer. */
export function needsStepContext({ steps }: Playbook): boolean {
  return Object.values(steps).some(({ kind }) => kind === 'talk' || kind === 'tool' || kind === 'press');
}

/**
 * Returns a function that opens the dialogue of a call with a playbook: for the built-in AI, for agents with a model
 * whose playbook has steps that need it, and for the command `talk`. Deterministic except for the answers of models and
 * tools: the same words at the same time get the same reply.
 */
export function createPlaybookDialogue(options: PlaybookDialogueOptions = {}): OpenPlaybook {
  const { minConfidence = DEFAULT_MIN_CONFIDENCE, clock = systemClock, timeZone = 'UTC' } = options;
  return (brief, playbook, parts = {}) => {
    const region = brief.region ?? options.region ?? regionOf(brief.language);
    const zone = brief.timeZone ?? timeZone;
    const language = brief.spoken ?? new CallLanguage(DEFAULT_LANGUAGES, brief.language);
    const readContext = () => ({ now: DateTime.fromMillis(clock.wallMs(), { zone }), region, language });
    const followed = playbook ?? genericPlaybook(brief.initialMessage, language.current.sentences);
    return new PlaybookSession(brief, { playbook: followed, minConfidence, readContext, ...parts });
  };
}
