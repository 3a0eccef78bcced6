import type { TransferTarget } from '#dialogue/dialogue-manager.js';

/** A tool as it is offered to a model. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Readonly<Record<string, unknown>>;
}

/** A tool call of a model; `arguments` is JSON text as the model wrote it. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** How a tool call ended. */
export type ToolStatus =
  | 'ok'
  /** The tool ran without success. */
  | 'failed'
  /** The tool exceeded its time limit. */
  | 'timed_out'
  /** The tool did not run: it does not exist, or its arguments are wrong. */
  | 'refused';

/** An effect on the call that a tool requests; it happens when everything said before was spoken. */
export type ToolEffect =
  | { kind: 'end'; goodbye: 'goodbye' | 'do_not_call' }
  | ({ kind: 'transfer' } & TransferTarget)
  | { kind: 'press'; keys: string }
  /** A playbook reads a noted value back to the caller before it counts. */
  | { kind: 'read_back' };

/** The result of a tool call. */
export interface ToolResult {
  status: ToolStatus;
  /** The result text for the model. */
  text: string;
  /** The parsed JSON answer of a tool's server; missing if it is not JSON. */
  value?: unknown;
  effect?: ToolEffect;
}

/** A tool call that has begun. */
export interface ToolRun {
  readonly call: ToolCall;
  /** Fillers while the tool runs: the first sentence after a moment, the next after a while. */
  readonly sayWhile: readonly string[];
  /** Never rejects. */
  readonly done: Promise<ToolResult>;
}

/** The tools of one call (port). `CallToolbox` implements it. */
export interface Toolbox {
  readonly offered: readonly OfferedTool[];
  /** Target for a caller who asks for a person; null if there is none. */
  readonly transferTo: TransferTarget | null;
  /** Starts a tool call. It runs once and to its end, even if the turn is cut. */
  run(call: ToolCall): ToolRun;
}
