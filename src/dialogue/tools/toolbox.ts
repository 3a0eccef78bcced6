import type { TransferTarget } from '#dialogue/dialogue-manager.js';

/** What a model may call, as it is told of it. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Readonly<Record<string, unknown>>;
}

/** A tool as a model called it; `arguments` is JSON text as the model wrote it. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** How a call of a tool ended. */
export type ToolStatus =
  | 'ok'
  /** It was run and did not do what it should. */
  | 'failed'
  /** It took longer than it may. */
  | 'timed_out'
  /** It was never run: there is no such tool, or its arguments are wrong. */
  | 'refused';

/** What a tool asks of the talk: it happens when everything said before has been spoken. */
export type ToolEffect =
  | { kind: 'end'; goodbye: 'goodbye' | 'do_not_call' }
  | ({ kind: 'transfer' } & TransferTarget)
  | { kind: 'press'; keys: string }
  /** A value is read back to the caller before it counts. */
  | { kind: 'read_back' };

export interface ToolResult {
  status: ToolStatus;
  /** What the model is told. */
  text: string;
  /** The answer of a tool's server as it was read; left out where it is no JSON. */
  value?: unknown;
  effect?: ToolEffect;
}

/** A call of a tool that has begun. */
export interface ToolRun {
  readonly call: ToolCall;
  /** What is said while it runs: the first sentence after a moment, the next after a while. */
  readonly sayWhile: readonly string[];
  /** Never rejects. */
  readonly done: Promise<ToolResult>;
}

/** The tools of one call. */
export interface Toolbox {
  readonly offered: readonly OfferedTool[];
  /** Whom a caller is connected with who asks for a person; null for no one. */
  readonly transferTo: TransferTarget | null;
  /** Begins a call of a tool. It is run once and to its end, whatever becomes of the turn. */
  run(call: ToolCall): ToolRun;
}
