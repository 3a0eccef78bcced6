/*
 * The port to language models: requests, answers and failures. Adapters in src/providers implement it; `AnswerRounds`
 * uses it through `modelWithFallback`.
 */

/** A request to a language model for one answer. */
export interface ModelRequest {
  /** Instructions before the conversation. */
  system: string;
  /** Oldest first; begins with the user, and every tool call is followed by its result. */
  messages: readonly ModelMessage[];
  /** The tools that the model may call. */
  tools: readonly ModelTool[];
  settings: ModelSettings;
  /** Facts of the call for a customer's own model server; other providers do not receive them. */
  call?: ModelCallFacts;
}

/** One message of the conversation. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | {
      role: 'assistant';
      /** Empty if the model only called tools. */
      text: string;
      toolCalls: readonly ModelToolCall[];
      /** Data that the provider wants back with this message, such as thought signatures; opaque to all other code. */
      providerData?: unknown;
    }
  | { role: 'tool'; results: readonly ModelToolResult[] };

/** A tool call, as the model wrote it. */
export interface ModelToolCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it: it may be invalid JSON, and may not fit the tool's schema. */
  arguments: string;
  /** As in {@link ModelMessage}. */
  providerData?: unknown;
}

/** The result of a tool, as the model sees it. */
export interface ModelToolResult {
  id: string;
  name: string;
  text: string;
}

/** A tool that the model may call. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Readonly<Record<string, unknown>>;
}

/** Settings of the answer; null leaves a choice to the provider. */
export interface ModelSettings {
  temperature: number | null;
  maxOutputTokens: number | null;
  /** Such as `none`, `minimal`, `low`; for models that reason. */
  reasoningEffort: string | null;
}

/** The facts of a call, as a customer's own model server gets them. */
export interface ModelCallFacts {
  callId: string;
  agentId: string | null;
  direction: 'inbound' | 'outbound';
  callerNumber: string | null;
  calledNumber: string | null;
  variables: Readonly<Record<string, string>>;
  /** The playbook's step; null for an agent with a prompt only. */
  step: string | null;
}

/** A piece of an answer; pieces come in order. */
export type ModelPart =
  | { type: 'text'; text: string }
  /** A tool call with complete arguments. */
  | { type: 'tool_call'; call: ModelToolCall }
  /** The last piece of a complete answer. An answer that ends without it was cut. */
  | {
      type: 'finish';
      reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other';
      usage: ModelUsage;
      providerData?: unknown;
      /** The model that answered, if there are several. */
      answeredBy?: { provider: string; model: string };
    };

/** Tokens as the provider counted them; null if not reported. */
export interface ModelUsage {
  inputTokens: number | null;
  cachedInputTokens: number | null;
  outputTokens: number | null;
}

/** One model of one provider, ready to answer (port). All adapters pass `test/contracts/language-model`. */
export interface LanguageModel {
  /** The provider's name, such as `openai`. */
  readonly provider: string;
  /** The model's name, such as `gpt-4.1`. */
  readonly model: string;
  /**
   * Streams one answer. Aborting closes the connection at once and ends the iteration without an error.
   * @throws {ModelError} when the provider refuses, fails, or cuts its answer
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Why a model did not answer. */
export type ModelFailure =
  /** Too many requests; `retryAfterMs` is the wait that the provider asks for. */
  | 'rate_limited'
  /** The account has no money or quota left. */
  | 'quota'
  /** The key is wrong or may not use this model. */
  | 'refused_credentials'
  /** The provider does not know the model. */
  | 'unknown_model'
  /** The request is not valid for this model. */
  | 'bad_request'
  | 'context_too_long'
  /** Not reached, overloaded, or failing. */
  | 'unavailable'
  /** One of our time limits has passed. */
  | 'timeout'
  /** The stream ended in mid-answer. */
  | 'cut'
  /** The answer does not follow the protocol. */
  | 'bad_answer';

/** A model did not answer. The message never contains a key or words of the call. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly provider: string;
  readonly failure: ModelFailure;
  /** True if the same request may succeed when repeated at once, or after `retryAfterMs` if that is set. */
  readonly retryable: boolean;
  /** The wait that the provider asks for; null if not reported. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    options: {
      provider: string;
      failure: ModelFailure;
      retryable: boolean;
      retryAfterMs?: number | null;
      cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.provider = options.provider;
    this.failure = options.failure;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
