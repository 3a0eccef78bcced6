import { DateTime } from 'luxon';
import type { CountryCode } from 'libphonenumber-js';
import type { AgentBrief } from '#dialogue/dialogue-manager.js';
import type { ToolMemory } from '#dialogue/tool-memory.js';
import { TalkMemory } from '#dialogue/talk-memory.js';
import { CallToolbox } from '#dialogue/tools/call-toolbox.js';
import type { HttpToolParts } from '#dialogue/tools/http-tool.js';
import { validStoredTools } from '#dialogue/tools/tool-definition.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { PlaybookCallerControl } from '#playbook/talk/caller-control.js';
import { CallLanguage } from '#language/languages/call-language.js';
import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';
import { regionOf } from '#language/numbers/region.js';
import type { AgentRequest } from './agent-request.js';

/** A request such as an opt-out is ignored below this confidence of the recogniser (0 to 1), as in playbooks. */
const MIN_CONFIDENCE = 0.3;

/** The dependencies of {@link openCallTools} and {@link openToolbox}. */
export interface CallToolsParts {
  /** The dependencies of HTTP tools, with the secrets of a workspace. */
  httpToolParts(workspace: string): HttpToolParts;
  clock: Clock;
  log: Log;
  /** The country for phone numbers said without a country code; undefined for that of the agent's language. */
  region: CountryCode | undefined;
  /** IANA zone of calls without their own. */
  timeZone: string;
}

/** The parts of a dialogue with a model, apart from the model itself. */
export interface CallTools {
  /** The variables of the call, and what tools and the model have learnt. */
  memory: TalkMemory;
  /** The agent's tools. */
  toolbox: CallToolbox;
  /** Recognises requests that are handled without the model, such as an opt-out, a goodbye or a wish for a person. */
  control: PlaybookCallerControl;
}

/**
 * Opens memory, tools and caller control for one call of an agent with a model. `createModelDialogues` uses them for
 * language models, `createRealtimeAgentOpener` for speech-to-speech models.
 */
export function openCallTools(request: AgentRequest, parts: CallToolsParts): CallTools {
  const { brief } = request;
  const { clock } = parts;
  const region = brief.region ?? parts.region ?? regionOf(brief.language);
  const zone = brief.timeZone ?? parts.timeZone;
  const memory = new TalkMemory({ ...brief.variables, agent_name: brief.agentName });
  const language = callLanguageOf(brief);
  const readContext = () => ({ now: DateTime.fromMillis(clock.wallMs(), { zone }), region, language });
  const control = new PlaybookCallerControl({ minConfidence: MIN_CONFIDENCE, readContext });
  return { memory, toolbox: openToolbox(request, memory, parts), control };
}

/** The language of a call, which may change during it. A brief without one (`spoken`) keeps the agent's language. */
export function callLanguageOf({ spoken, language }: AgentBrief): CallLanguage {
  return spoken ?? new CallLanguage(DEFAULT_LANGUAGES, language);
}

/**
 * Opens the tools of an agent for one call.
 * @param memory the variables that tools read and set: a playbook passes its own, `openCallTools` a new one
 */
export function openToolbox(
  { brief, tools, call, workspace }: AgentRequest,
  memory: ToolMemory,
  { clock, log, timeZone, httpToolParts }: CallToolsParts,
): CallToolbox {
  return new CallToolbox(validStoredTools(tools), {
    ...httpToolParts(workspace),
    memory,
    clock,
    timeZone: brief.timeZone ?? timeZone,
    isReachable: brief.isReachable ?? true,
    filler: () => callLanguageOf(brief).current.sentences.one_moment,
    callId: call.callId,
    onFailure: (error) => log.error({ err: error, call_id: call.callId }, 'a tool failed by itself'),
  });
}
