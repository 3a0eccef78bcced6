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
  /** Nothing was done: the tool does not exist, its arguments are wrong, or it is not allowed now. */
  | 'refused';

/** An effect on the call that a tool requests. It happens after everything that the agent said before it was played. */
export type ToolEffect =
  /** The call ends after this fixed sentence. */
  | { kind: 'end'; goodbye: 'goodbye' | 'do_not_call' }
  | ({ kind: 'transfer' } & TransferTarget)
  /** Keys (DTMF) are sent on the line. */
  | { kind: 'press'; keys: string }
  /** A playbook asks the caller to confirm the values that the model has noted; before that they do not count. */
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
  /** Fillers while the tool runs, in order. `ToolRounds` says the first after 1.5 seconds, and the next ones later. */
  readonly sayWhile: readonly string[];
  /** Never rejects. */
  readonly done: Promise<ToolResult>;
}

/**
 * The tools of one call (port): offered to a model, and run when the model calls them. `CallToolbox` implements it, and
 * playbooks wrap it for a talk step.
 */
export interface Toolbox {
  readonly offered: readonly OfferedTool[];
  /** Target of a transfer for a caller who asks for a person; null if the agent cannot transfer. */
  readonly transferTo: TransferTarget | null;
  /** Starts a tool call. It runs once and to its end, even if the turn is cut. */
  run(call: ToolCall): ToolRun;
}
