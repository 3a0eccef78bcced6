/** What a language model is asked for: one answer to a conversation. */
export interface ModelRequest {
  /** Instructions that stand before the conversation. */
  system: string;
  /** Oldest first; begins with the user, and every tool call is followed by its result. */
  messages: readonly ModelMessage[];
  /** Functions that the model may call. */
  tools: readonly ModelTool[];
  settings: ModelSettings;
  /** What a customer's own server learns of the call beside the messages; other providers are not sent it. */
  call?: ModelCallFacts;
  /** Called at most once, when no text and no tool has come for so long that the caller should hear a filler. */
  onSlow?: () => void;
}

/** One message of the conversation. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | {
      role: 'assistant';
      /** Empty where the model only called tools. */
      text: string;
      toolCalls: readonly ModelToolCall[];
      /** What the provider wants back with this message, such as thought signatures; opaque to everything else. */
      providerData?: unknown;
    }
  | { role: 'tool'; results: readonly ModelToolResult[] };

/** A call of a tool, as the model asked for it. */
export interface ModelToolCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it: it may be no JSON, and may not fit the tool's schema. */
  arguments: string;
  /** As in {@link ModelMessage}. */
  providerData?: unknown;
}

/** What a tool answered, as the model is told it. */
export interface ModelToolResult {
  id: string;
  name: string;
  text: string;
}

/** A function that the model may call. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Readonly<Record<string, unknown>>;
}

/** How the model answers; null leaves a choice to the provider. */
export interface ModelSettings {
  temperature: number | null;
  maxOutputTokens: number | null;
  /** Such as `none`, `minimal`, `low`; for models that reason. */
  reasoningEffort: string | null;
}

/** The call that a model talks on. */
export interface ModelCallFacts {
  callId: string;
  agentId: string | null;
  direction: 'inbound' | 'outbound';
  callerNumber: string | null;
  calledNumber: string | null;
  variables: Readonly<Record<string, string>>;
  /** The playbook's step; null where the agent has a prompt alone. */
  step: string | null;
}

/** A piece of an answer, in the order in which it comes. */
export type ModelPart =
  | { type: 'text'; text: string }
  /** A tool is called; its arguments are complete. */
  | { type: 'tool_call'; call: ModelToolCall }
  /** The answer is complete. An answer without it was cut. */
  | {
      type: 'finish';
      reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other';
      usage: ModelUsage;
      providerData?: unknown;
      /** Which model of a list has answered, where there are several. */
      answeredBy?: { provider: string; model: string };
    };

/** Tokens as the provider counted them; null where it did not say. */
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
  /** Too many requests; `retryAfterMs` says for how long. */
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
  /** A time limit of ours has passed. */
  | 'timeout'
  /** The stream ended in mid-answer. */
  | 'cut'
  /** The answer is none that the protocol knows. */
  | 'bad_answer';

/** A model did not answer. The message never holds a key, or what was said in the call. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly provider: string;
  readonly failure: ModelFailure;
  /** Whether the same request may succeed if sent again at once. */
  readonly retryable: boolean;
  /** How long the provider wants to be left alone; null where it does not say. */
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
