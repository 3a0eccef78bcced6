import type { DialogueManager } from '#dialogue/dialogue-manager.js';
import type { AgentModelSettings, NamedModel } from '#dialogue/llm/agent-model.js';
import type { LanguageModel } from '#dialogue/llm/language-model.js';
import { ModelDialogue } from '#dialogue/llm/model-dialogue.js';
import { systemTextOf } from '#dialogue/prompt/system-text.js';
import type { AgentRequest } from './agent-request.js';
import { openCallTools, type CallToolsParts } from './call-tools.js';
import { BUILT_IN } from './choose-providers.js';
import type { ModelChoice } from './provider-definition.js';

const USUAL_CONTEXT_TOKENS = 16_000;

/** The model that an agent names, with those that take its place; null where it cannot be used here. */
export type ResolveModel = (choice: ModelChoice, fallbacks: readonly NamedModel[]) => LanguageModel | null;

export interface ModelDialoguesParts extends CallToolsParts {
  resolveModel: ResolveModel;
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
  request: AgentRequest,
  model: LanguageModel,
  parts: ModelDialoguesParts,
): DialogueManager {
  const { brief, model: asked, call, observer } = request;
  const { memory, toolbox, control } = openCallTools(request, parts);
  return new ModelDialogue({
    model,
    settings: settingsOf(asked.settings),
    system: systemTextOf({ systemPrompt: brief.systemPrompt, variables: memory.variables }),
    initialMessage: brief.initialMessage,
    memory,
    toolbox,
    control,
    observer,
    call: { ...call, variables: memory.variables, step: null },
    clock: parts.clock,
    log: parts.log,
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
