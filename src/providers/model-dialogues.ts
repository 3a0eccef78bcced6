import type { DialogueManager } from '#dialogue/dialogue-manager.js';
import type { AgentModelSettings, NamedModel } from '#dialogue/llm/agent-model.js';
import type { LanguageModel } from '#dialogue/llm/language-model.js';
import { ModelDialogue } from '#dialogue/llm/model-dialogue.js';
import { systemTextOf } from '#dialogue/prompt/system-text.js';
import type { TurnTaking } from '#dialogue/turn-taking.js';
import { needsStepContext } from '#playbook/playbook-dialogue.js';
import type { StepContext } from '#playbook/talk/model-session.js';
import type { AgentRequest } from './agent-request.js';
import { openCallTools, openToolbox, callLanguageOf, type CallToolsParts } from './call-tools.js';
import { BUILT_IN } from './choose-providers.js';
import type { ModelChoice } from './provider-definition.js';

/**
 * The most tokens of a conversation that a model receives, for agents that set no limit; older turns are left out.
 */
const DEFAULT_CONTEXT_TOKENS = 16_000;

/** Opens the named model with its fallbacks; null if it cannot be used here. */
export type ResolveModel = (choice: ModelChoice, fallbacks: readonly NamedModel[]) => LanguageModel | null;

/** The dependencies of {@link createModelDialogues}. */
export interface ModelDialoguesParts extends CallToolsParts {
  resolveModel: ResolveModel;
}

/**
 * Opens the parts of a call that use a language model or tools: whole dialogues, and steps of playbooks. Used by
 * `createAgentResolver`.
 */
export interface ModelDialogues {
  /**
   * The dialogue of an agent that uses a language model without a playbook. Null for any other agent: with a playbook
   * or the built-in provider, without a prompt, or with a model that cannot be used here.
   */
  openDialogue(request: AgentRequest): DialogueManager | null;
  /** Model and tools for the steps of the agent's playbook; null if no step needs them. */
  openSteps(request: AgentRequest): StepContext | null;
}

/** Creates {@link ModelDialogues}; one object serves all calls. */
export function createModelDialogues(parts: ModelDialoguesParts): ModelDialogues {
  return {
    openDialogue(request) {
      const { brief, playbook, providers } = request;
      if (playbook !== null || brief.systemPrompt === null || providers.ai === BUILT_IN) return null;
      const model = modelOf(request, parts);
      return model && openDialogue(request, model, parts);
    },
    openSteps(request) {
      const { playbook, providers, model: agentModel, turnTaking, observer, call } = request;
      if (playbook === null || !needsStepContext(playbook)) return null;
      const hasTalkStep = Object.values(playbook.steps).some(({ kind }) => kind === 'talk');
      return {
        model: hasTalkStep && providers.ai !== BUILT_IN ? modelOf(request, parts) : null,
        settings: settingsOf(agentModel.settings),
        openToolbox: (memory) => openToolbox(request, memory, parts),
        observer,
        preparesReplies: preparesReplies(turnTaking),
        call,
        clock: parts.clock,
        log: parts.log.child({ call_id: call.callId }),
      };
    },
  };
}

/** The model that an agent names; null, with a warning in the log, if it cannot be used. */
function modelOf(request: AgentRequest, parts: ModelDialoguesParts): LanguageModel | null {
  const { providers, model: agentModel, workspace, call } = request;
  const { url, headers } = agentModel.settings;
  const provider = providers.ai;
  const { secrets, sign } = parts.httpToolParts(workspace);
  const customServer = {
    ...(url && { url }),
    ...(headers && { headers }),
    owner: { workspace, secrets, sign },
  };
  const model = parts.resolveModel(
    { provider, model: providers.model, ...customServer },
    agentModel.fallbacks,
  );
  if (model === null)
    parts.log.warn({ provider, call_id: call.callId }, 'the model cannot be used; the call does without');
  return model;
}

/** The dialogue of one call in which the model decides every answer. */
function openDialogue(
  request: AgentRequest,
  model: LanguageModel,
  parts: ModelDialoguesParts,
): DialogueManager {
  const { brief, model: agentModel, turnTaking, call, observer } = request;
  const { memory, toolbox, control } = openCallTools(request, parts);
  return new ModelDialogue({
    model,
    settings: settingsOf(agentModel.settings),
    system: systemTextOf({ systemPrompt: brief.systemPrompt, variables: memory.variables }),
    language: callLanguageOf(brief),
    initialMessage: brief.initialMessage,
    memory,
    toolbox,
    control,
    observer,
    preparesReplies: preparesReplies(turnTaking),
    call: { ...call, variables: memory.variables, step: null },
    clock: parts.clock,
    log: parts.log,
  });
}

/** True unless the agent turns it off: replies are prepared while the caller may still be speaking. */
function preparesReplies(turnTaking: TurnTaking): boolean {
  return turnTaking.prepare_replies ?? true;
}

/** An agent's model settings in the form of the model port; null means the provider's default. */
function settingsOf(settings: AgentModelSettings) {
  return {
    temperature: settings.temperature ?? null,
    maxOutputTokens: settings.max_output_tokens ?? null,
    reasoningEffort: settings.reasoning_effort ?? null,
    maxContextTokens: settings.max_context_tokens ?? DEFAULT_CONTEXT_TOKENS,
  };
}
