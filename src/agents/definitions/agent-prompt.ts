import { z } from 'zod';
import { inLanguage, systemTextOf } from '#dialogue/prompt/system-text.js';
import { estimateTokens } from '#dialogue/prompt/tokens.js';
import { knownVariables } from '#dialogue/known-variables.js';
import { TalkMemory } from '#dialogue/talk-memory.js';
import { CallToolbox } from '#dialogue/tools/call-toolbox.js';
import { validStoredTools } from '#dialogue/tools/tool-definition.js';
import { CallLanguage } from '#language/languages/call-language.js';
import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';
import { fillVariables } from '#dialogue/variables.js';
import { fieldProblem } from '#kernel/errors/errors.js';
import type { TalkStep } from '#playbook/steps/playbook-step.js';
import { toolsOfTalk } from '#playbook/talk/talk-visit.js';
import { FreeForm } from '#kernel/input/free-form.js';
import type { AgentRow } from './agent.js';

/** A tool as the language model receives it. */
const offeredTool = z.object({
  name: z.string(),
  description: z.string(),
  parameters: FreeForm.meta({ description: 'JSON Schema of the arguments.' }),
});

/**
 * The prompt and tools of an agent, which its language model receives before the conversation, as the API shows them.
 */
export const agentPrompt = z
  .object({
    agent_id: z.string(),
    object: z.literal('prompt'),
    step: z
      .string()
      .nullable()
      .meta({ description: 'The talk step of the playbook; null for the agent as a whole.' }),
    system: z.string().meta({
      description: 'The whole system text: our rules, `system_prompt`, the step, facts of the call.',
    }),
    initial_message: z.string().meta({ description: 'What the agent says first, without the model.' }),
    tools: z.array(offeredTool).meta({ description: 'The functions that it may call.' }),
    tokens: z
      .object({
        system: z.int().meta({ description: 'Of the system text.' }),
        tools: z.int().meta({ description: 'Of the tools.' }),
        total: z.int().meta({ description: 'Of both.' }),
      })
      .meta({ description: 'An estimate; every provider counts in its own way.' }),
  })
  .meta({
    id: 'AgentPrompt',
    description: 'What the language model of an agent is given before anything is said.',
    examples: [
      {
        agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
        object: 'prompt',
        step: null,
        system: 'You are talking with a caller on the telephone …',
        initial_message: 'Hello Ada, this is the clinic.',
        tools: [],
        tokens: { system: 180, tools: 0, total: 180 },
      },
    ],
  });

/** The imagined call for which a prompt is shown. */
export interface PromptCall {
  /** The data of the call. */
  variables: Readonly<Record<string, string>>;
  /** The name of a talk step; null for the agent as a whole. */
  step: string | null;
  timeZone: string;
}

/**
 * The prompt of an agent for a call: system text, opening message, tools, and an estimate of their tokens. It is built
 * as for a real call, so that customers see what their model receives (`GET /api/agents/{id}/prompt`).
 * @param call the imagined call; `at` is its time (epoch milliseconds)
 * @throws Problem `validation_error` for a step that is no talk step of the agent
 */
export function promptOf(agent: AgentRow, call: PromptCall & { at: number }): z.output<typeof agentPrompt> {
  const variables = { ...knownVariables(agent.name, null, call), ...call.variables };
  const step = call.step === null ? null : talkStepOf(agent, call.step);
  const text = systemTextOf({ systemPrompt: agent.system_prompt, variables, ...(step && { step }) });
  const system = inLanguage(text, new CallLanguage(DEFAULT_LANGUAGES, agent.language, agent.languages));
  const toolbox = new CallToolbox(validStoredTools(agent.tools), {
    memory: new TalkMemory(variables),
    clock: { wallMs: () => call.at },
    timeZone: call.timeZone,
    isReachable: true,
    callId: null,
    ...NEVER_RUN,
  });
  const offered = step ? toolsOfTalk(step, toolbox) : toolbox.offered;
  const tools = offered.map((tool) => ({ ...tool, parameters: { ...tool.parameters } }));
  const tokens = { system: estimateTokens(system), tools: estimateTokens(JSON.stringify(tools)) };
  return {
    agent_id: agent.id,
    object: 'prompt',
    step: call.step,
    system,
    initial_message: fillVariables(agent.initial_message, [variables]),
    tools,
    tokens: { ...tokens, total: tokens.system + tokens.tools },
  };
}

/** The talk step of this name in the agent's playbook. @throws Problem `validation_error` for any other name */
function talkStepOf({ playbook }: AgentRow, name: string): TalkStep {
  const steps = playbook?.steps ?? {};
  const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
  if (step?.kind === 'talk') return step;
  throw fieldProblem('validation_error', 'query.step', 'is no talk step of this agent', 'invalid_value');
}

/** The dependencies of a toolbox whose tools are shown and never run. */
const NEVER_RUN = {
  send: () => Promise.reject(new Error('a prompt runs no tool')),
  secrets: () => Promise.resolve({}),
  sign: () => Promise.resolve({}),
  onFailure: () => {},
  filler: () => '',
};
