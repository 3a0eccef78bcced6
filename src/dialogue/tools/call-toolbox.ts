import { readArguments } from './arguments.js';
import { builtInTools, type BuiltInParts } from './built-in-tools.js';
import { runHttpTool, type HttpToolParts } from './http-tool.js';
import { isBuiltIn, type AgentTool, type HttpTool } from './tool-definition.js';
import type { Toolbox, ToolCall, ToolResult, ToolRun } from './toolbox.js';

/** The dependencies of {@link CallToolbox}. */
export interface CallToolboxParts extends BuiltInParts, HttpToolParts {
  /** Null where there is no call: for the preview of an agent's prompt. */
  callId: string | null;
  /** The filler during an HTTP tool that has no `say_while`. */
  filler(): string;
  /** Called with an error of the service itself, such as a failed read of secrets; the model sees a failed tool. */
  onFailure(error: unknown): void;
}

/**
 * The tools of an agent in one call: built-in tools, and HTTP tools, which are requests to servers of the customer. The
 * providers module makes it for models and playbooks. The agents module makes one to show an agent's prompt.
 */
export class CallToolbox implements Toolbox {
  readonly offered: Toolbox['offered'];
  readonly transferTo: Toolbox['transferTo'];
  readonly #parts: CallToolboxParts;
  readonly #builtIns: ReturnType<typeof builtInTools>['tools'];
  readonly #httpTools: ReadonlyMap<string, HttpTool>;
  /** Number of tool calls so far, for idempotency keys. */
  #callCount = 0;

  constructor(tools: readonly AgentTool[], parts: CallToolboxParts) {
    this.#parts = parts;
    const { tools: builtIns, transferTo } = builtInTools(tools.filter(isBuiltIn), parts);
    this.#builtIns = builtIns;
    this.transferTo = transferTo;
    const http = tools.filter((tool): tool is HttpTool => !isBuiltIn(tool));
    this.#httpTools = new Map(http.map((tool) => [tool.name, tool]));
    this.offered = [
      ...http.map(({ name, description, parameters }) => ({ name, description, parameters })),
      ...[...builtIns.values()].map(({ offered }) => offered),
    ];
  }

  run(call: ToolCall): ToolRun {
    this.#callCount += 1;
    const http = this.#httpTools.get(call.name);
    const sayWhile = http ? (http.say_while ?? [this.#parts.filler()]) : [];
    const done = this.#run(call, this.#callCount).catch((error: unknown): ToolResult => {
      this.#parts.onFailure(error);
      return { status: 'failed', text: 'The tool failed.' };
    });
    return { call, sayWhile, done };
  }

  /** Checks the arguments of a call and runs its tool. */
  async #run(call: ToolCall, number: number): Promise<ToolResult> {
    const builtIn = this.#builtIns.get(call.name);
    const http = this.#httpTools.get(call.name);
    const schema = builtIn?.offered.parameters ?? http?.parameters;
    if (schema === undefined) return { status: 'refused', text: `There is no tool ${call.name}.` };
    const read = readArguments(call.arguments, schema);
    if ('problem' in read) return { status: 'refused', text: `${read.problem} The tool was not run.` };
    if (builtIn) return builtIn.run(read.args);
    const { memory, callId } = this.#parts;
    const { result, saved } = await runHttpTool(
      http!,
      {
        args: read.args,
        variables: memory.variables,
        callId,
        // Not the id of the model's tool call: models restart their ids in every call, and some in every answer.
        idempotencyKey: `${callId ?? 'test'}:${number}`,
      },
      this.#parts,
    );
    memory.set(saved);
    return result;
  }
}
