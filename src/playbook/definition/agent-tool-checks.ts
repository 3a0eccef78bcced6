import { OWN_VARIABLES } from '#dialogue/variables.js';
import type { AgentTool, HttpTool } from '#dialogue/tools/tool-definition.js';
import { BUILT_IN_NAMES, isBuiltIn } from '#dialogue/tools/tool-definition.js';
import { variablesSetBy } from './playbook-texts.js';
import type { Playbook } from './playbook.js';
import type { TalkStep, ToolStep } from '#playbook/steps/playbook-step.js';
import type { PlaybookFault } from '#playbook/checks/playbook-graph.js';

/**
 * Faults of a playbook against the tools of its agent: steps that name tools which the agent does not have, and exits
 * that wait for values which no step and no tool fills. `requireAgentTools` refuses an agent with faults; the schema of
 * a playbook alone does not know the tools. Paths are relative to the playbook.
 */
export function agentToolFaults(playbook: Playbook, tools: readonly AgentTool[]): PlaybookFault[] {
  const saved = tools.flatMap((tool) => (isBuiltIn(tool) ? [] : Object.keys(tool.save)));
  const values = new Set([...variablesSetBy(playbook), ...OWN_VARIABLES, ...saved]);
  return Object.entries(playbook.steps).flatMap(([name, step]) => {
    const faults =
      step.kind === 'talk'
        ? [...toolNameFaults(step, tools), ...unknownValueFaults(step, values)]
        : step.kind === 'tool'
          ? toolStepFaults(step, tools)
          : [];
    return faults.map((fault) => ({ ...fault, path: ['steps', name, ...fault.path] }));
  });
}

/** Faults of the `tools` of a talk step: the model cannot use them. */
function toolNameFaults(step: TalkStep, tools: readonly AgentTool[]): PlaybookFault[] {
  return (step.tools ?? []).flatMap((name, index) => {
    const message = problemOf(name, tools);
    return message === null ? [] : [{ path: ['tools', index], message }];
  });
}

/** Why a model cannot use the tool of this name, as a predicate; null if it can. */
function problemOf(name: string, tools: readonly AgentTool[]): string | null {
  if (httpToolOf(name, tools)) return null;
  if (!(BUILT_IN_NAMES as readonly string[]).includes(name))
    return `names the tool '${name}', which the agent does not have`;
  const configured = tools.filter(isBuiltIn).filter(({ type }) => type === name);
  if (configured.some(({ enabled }) => !enabled)) return `names the tool '${name}', which is switched off`;
  const hasDestination = configured.some(({ destinations }) => destinations.length > 0);
  return name === 'transfer' && !hasDestination
    ? "names the tool 'transfer', which has no destinations"
    : null;
}

/** Faults of the `exits` of a talk step: they wait for a value which is never filled. */
function unknownValueFaults({ exits }: TalkStep, values: ReadonlySet<string>): PlaybookFault[] {
  return (exits ?? []).flatMap(({ when }, index) =>
    (when.known ?? []).flatMap((name, at) =>
      values.has(name)
        ? []
        : [
            {
              path: ['exits', index, 'when', 'known', at],
              message: `names the value '${name}', which no step and no tool fills`,
            },
          ],
    ),
  );
}

/** Faults of a tool step: its tool does not exist, or it omits required arguments. */
function toolStepFaults(step: ToolStep, tools: readonly AgentTool[]): PlaybookFault[] {
  const tool = httpToolOf(step.tool, tools);
  if (tool === undefined)
    return [{ path: ['tool'], message: `names the tool '${step.tool}', which the agent does not have` }];
  const required: unknown = tool.parameters['required'];
  const given = Object.keys({ ...step.with, ...tool.constants });
  return (Array.isArray(required) ? required : [])
    .filter((name: unknown) => typeof name === 'string' && !given.includes(name))
    .map((name: string) => ({ path: ['with', name], message: `is needed: '${tool.name}' requires it` }));
}

/** The tool of this name that sends requests to a server; undefined if the agent has none. */
function httpToolOf(name: string, tools: readonly AgentTool[]): HttpTool | undefined {
  return tools.find((tool): tool is HttpTool => !isBuiltIn(tool) && tool.name === name);
}
