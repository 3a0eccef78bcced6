import { DateTime } from 'luxon';
import type { CountryCode } from 'libphonenumber-js';
import type { DialogueManager } from '#dialogue/dialogue-manager.js';
import type { AgentModelSettings, NamedModel } from '#dialogue/llm/agent-model.js';
import type { LanguageModel } from '#dialogue/llm/language-model.js';
import { ModelDialogue } from '#dialogue/llm/model-dialogue.js';
import { systemTextOf } from '#dialogue/prompt/system-text.js';
import { TalkMemory } from '#dialogue/talk-memory.js';
import { CallToolbox } from '#dialogue/tools/call-toolbox.js';
import type { HttpToolParts } from '#dialogue/tools/http-tool.js';
import { keptTools } from '#dialogue/tools/tool-definition.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { PlaybookCallerControl } from '#playbook/talk/caller-control.js';
import { regionOf } from '#language/numbers/region.js';
import type { AgentRequest } from './agent-request.js';
import { BUILT_IN } from './choose-providers.js';
import type { ModelChoice } from './provider-definition.js';

const USUAL_CONTEXT_TOKENS = 16_000;
/** Below this (0 to 1) an utterance counts as not understood, as in playbooks. */
const MIN_CONFIDENCE = 0.3;

/** The model that an agent names, with those that take its place; null where it cannot be used here. */
export type ResolveModel = (choice: ModelChoice, fallbacks: readonly NamedModel[]) => LanguageModel | null;

export interface ModelDialoguesParts {
  resolveModel: ResolveModel;
  /** What the requests of tools need, for a workspace. */
  toolParts(workspace: string): HttpToolParts;
  clock: Clock;
  log: Log;
  /** Country whose phone numbers are said as they are there; undefined for that of the agent's language. */
  region: CountryCode | undefined;
  /** IANA zone of calls that name none. */
  timeZone: string;
}

/**
 * Opens the dialogue of an agent that talks through a language model. Null for an agent that follows a playbook, has no
 * prompt, or names a model that cannot be used here.
 */
export function createModelDialogues(
  parts: ModelDialoguesParts,
): (request: AgentRequest) => DialogueManager | null {
  return (request) => {
    const { brief, playbook, providers, model: asked } = request;
    if (playbook !== null || brief.systemPrompt === null || providers.ai === BUILT_IN) return null;
    const { url, headers } = asked.settings;
    const provider = providers.ai;
    const { secrets, sign } = parts.toolParts(request.workspace);
    const owner = { workspace: request.workspace, secrets, sign };
    const own = { ...(url && { url }), ...(headers && { headers }), owner };
    const choice = { provider, model: providers.model, ...own };
    const model = parts.resolveModel(choice, asked.fallbacks);
    if (model === null) {
      parts.log.warn(
        { provider, call_id: request.call.callId },
        'the model cannot be used; the built-in AI talks',
      );
      return null;
    }
    return openDialogue(request, model, parts);
  };
}

function openDialogue(
  { brief, model: asked, tools, call, workspace, observer }: AgentRequest,
  model: LanguageModel,
  { clock, log, timeZone: usualZone, region = regionOf(brief.language), toolParts }: ModelDialoguesParts,
): DialogueManager {
  const timeZone = brief.timeZone ?? usualZone;
  const memory = new TalkMemory({ ...brief.variables, agent_name: brief.agentName });
  const surroundings = () => ({ now: DateTime.fromMillis(clock.wallMs(), { zone: timeZone }), region });
  const toolbox = new CallToolbox(keptTools(tools), {
    ...toolParts(workspace),
    memory,
    clock,
    timeZone,
    isReachable: brief.isReachable ?? true,
    callId: call.callId,
    onFailure: (error) => log.error({ err: error, call_id: call.callId }, 'a tool failed by itself'),
  });
  return new ModelDialogue({
    model,
    settings: settingsOf(asked.settings),
    system: systemTextOf({ systemPrompt: brief.systemPrompt, variables: memory.variables }),
    initialMessage: brief.initialMessage,
    memory,
    toolbox,
    control: new PlaybookCallerControl({ minConfidence: MIN_CONFIDENCE, surroundings }),
    observer,
    call: { ...call, variables: memory.variables, step: null },
    clock,
    log,
  });
}

function settingsOf(settings: AgentModelSettings) {
  return {
    temperature: settings.temperature ?? null,
    maxOutputTokens: settings.max_output_tokens ?? null,
    reasoningEffort: settings.reasoning_effort ?? null,
    maxContextTokens: settings.max_context_tokens ?? USUAL_CONTEXT_TOKENS,
  };
}
