import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import {
  ModelError,
  type ModelPart,
  type ModelRequest,
  type ModelSettings,
  type ModelUsage,
} from '#dialogue/llm/language-model.js';
import { badAnswer, connectionError, modelErrorIn, streamedError } from '#dialogue/llm/model-errors.js';
import type { ModelEvent, ModelSource } from '#dialogue/llm/model-source.js';
import { fetchAnswer, createModelFetch, type FetchArguments } from '#providers/wire/model-fetch.js';
import { repairedChunks, type StreamRepairs } from '#providers/wire/repaired-stream.js';
import { promptOf, toolsOf, type KeptData } from './ai-sdk-prompt.js';
import { ChatAnswer } from './chat-answer.js';

/** How a provider's package is used for one model. The first five fields are those of {@link ModelSource}. */
export interface AiSdkModel {
  provider: string;
  model: string;
  account: string;
  usesOperatorsAccount: boolean;
  mayBeProbed: boolean;
  /** Sends requests, with the changes that the provider needs. */
  fetch: typeof fetch;
  /** Epoch milliseconds. */
  wallMs: () => number;
  /** Loads the package, which takes about 100 ms the first time. */
  load(): Promise<MakeModel>;
  /** Makes the repairs of one answer's deviations from the format; null if only the package knows the format. */
  repairs: (() => StreamRepairs) | null;
  /**
   * For packages that use chat completions: the key of their provider-specific data. With it the package only writes
   * the request; the answer is parsed by {@link ChatAnswer}, for speed.
   */
  optionsKey?: string;
  /** The provider's options and headers of a request, and settings that replace those of the request. */
  request?(request: ModelRequest): {
    settings?: Partial<ModelSettings>;
    options?: SharedV3ProviderOptions;
    headers?: Record<string, string>;
  };
  /** True if reasoning must be sent back before the tool calls that followed from it. */
  wantsReasoningBack?: true;
}

/** Makes a model of the package with this `fetch`. Slow: the package builds its schemas each time. */
export type MakeModel = (fetch: typeof globalThis.fetch) => LanguageModelV3;

/**
 * Makes a model source from a provider package of the AI SDK. Only the package is used: the SDK's own loop, retries and
 * history are replaced by the service's. Used by every provider of language models.
 */
export function aiSdkSource(options: AiSdkModel): ModelSource {
  const { provider, model, account, usesOperatorsAccount, mayBeProbed } = options;
  const shared = new SharedModel(options.load);
  return {
    provider,
    model,
    account,
    usesOperatorsAccount,
    mayBeProbed,
    open: (request, signal) => new Answer({ ...options, shared }, request, signal).events(),
  };
}

/**
 * The model of a package, made once for all answers because making it is slow. Each answer has its own `fetch`, but a
 * package takes only one: the abort signal, which the package passes to its request, identifies the answer.
 */
class SharedModel {
  readonly #load: () => Promise<MakeModel>;
  /** The `fetch` of each answer, by the answer's signal. */
  readonly #fetches = new WeakMap<AbortSignal, typeof fetch>();
  #model: LanguageModelV3 | null = null;

  constructor(load: () => Promise<MakeModel>) {
    this.#load = load;
  }

  /** Sends a request by the answer's own `fetch`; returns the answer as parsed by the package. */
  async answer(
    call: PackageCall,
    answerFetch: typeof fetch,
  ): Promise<AsyncIterable<LanguageModelV3StreamPart>> {
    const makeModel = this.#model === null ? await this.#load() : null;
    // Another answer may have made the model while this one loaded the package.
    this.#model ??= makeModel!(this.#fetch);
    this.#fetches.set(call.abortSignal, answerFetch);
    return (await this.#model.doStream(call)).stream as AsyncIterable<LanguageModelV3StreamPart>;
  }

  /** The request as the package would send it. Nothing is sent: the `fetch` of this call records it and throws. */
  async writeRequest(call: PackageCall): Promise<FetchArguments> {
    let recorded: FetchArguments | null = null;
    await this.answer(call, (...request) => {
      recorded = request;
      throw NOT_SENT;
    }).catch((error: unknown) => {
      if (recorded === null) throw error;
    });
    return recorded!;
  }

  /** The only `fetch` that the package knows: passes each request to the `fetch` of its answer. */
  readonly #fetch: typeof fetch = (input, init) => {
    const answerFetch = init?.signal && this.#fetches.get(init.signal);
    if (!answerFetch) throw new Error('the package does not hand on the signal of its requests');
    return answerFetch(input, init);
  };
}

/** Stops a package that should only write a request. */
const NOT_SENT = new Error('the request was not sent');

/** `abortSignal` must belong to this answer alone. */
type PackageCall = LanguageModelV3CallOptions & { abortSignal: AbortSignal };

/** One request to a model, and its answer while it is read. */
class Answer {
  readonly #options: AiSdkModel & { shared: SharedModel };
  readonly #request: ModelRequest;
  /** The signal of the caller of `open`. */
  readonly #signal: AbortSignal;
  /** Aborts this answer. Its signal also identifies the answer to {@link SharedModel}. */
  readonly #stop = new AbortController();
  /** Reasoning to be sent back with the tool calls that followed from it, by the package's id of each part. */
  readonly #reasoning = new Map<string, { text: string; options?: SharedV3ProviderOptions }>();
  /** Provider-specific data of the text, to be sent back with it. */
  #textOptions: SharedV3ProviderOptions | undefined;
  #hasCalledTools = false;

  constructor(options: AiSdkModel & { shared: SharedModel }, request: ModelRequest, signal: AbortSignal) {
    this.#options = options;
    this.#request = request;
    this.#signal = signal;
  }

  /** The events of the answer; ends without an error after an abort. @throws {ModelError} */
  async *events(): AsyncGenerator<ModelEvent, void> {
    let parts: AsyncIterator<LanguageModelV3StreamPart> | null = null;
    const stop = () => this.#stop.abort(this.#signal.reason);
    this.#signal.addEventListener('abort', stop, { once: true });
    if (this.#signal.aborted) stop();
    try {
      let accept = () => {};
      const accepted = new Promise<void>((resolve) => (accept = resolve));
      const opening = this.#openStream(accept);
      // Prevents an unhandled rejection if the consumer stops reading before the answer is awaited.
      opening.catch(() => {});
      // The headers of the answer come first; `opening` resolves with its parts, or rejects.
      await Promise.race([accepted, opening]);
      yield { type: 'accepted' };
      parts = (await opening)[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await parts.next();
        if (done === true) return;
        yield* this.#eventsOf(value);
      }
    } catch (error) {
      if (!this.#signal.aborted) throw this.#modelError(error);
    } finally {
      this.#signal.removeEventListener('abort', stop);
      parts?.return?.()?.catch(() => {});
    }
  }

  /** Sends the request. @param onAccepted called with the headers of the answer, before its first part */
  async #openStream(onAccepted: () => void): Promise<AsyncIterable<LanguageModelV3StreamPart>> {
    const { provider, fetch, wallMs, shared, repairs, optionsKey } = this.#options;
    const fetchOptions = { provider, fetch, wallMs, onAccepted };
    // The package parses the answer, unless it speaks chat completions, which `ChatAnswer` parses faster.
    if (repairs === null || optionsKey === undefined)
      return shared.answer(
        this.#packageCall(),
        createModelFetch({ ...fetchOptions, repairs: repairs?.() ?? null }),
      );
    const body = await fetchAnswer(await shared.writeRequest(this.#packageCall()), fetchOptions);
    return this.#readChunks(body, repairs(), new ChatAnswer(optionsKey));
  }

  /** The parts of a chat completion, chunk by chunk. */
  async *#readChunks(
    body: ReadableStream<Uint8Array>,
    repairs: StreamRepairs,
    answer: ChatAnswer,
  ): AsyncGenerator<LanguageModelV3StreamPart> {
    const { provider } = this.#options;
    const { signal } = this.#stop;
    for await (const chunks of repairedChunks(body.getReader(), { provider, repairs, signal }))
      for (const { chunk } of chunks) yield* answer.read(chunk);
    yield* answer.end();
  }

  /** The request in the form of the package. */
  #packageCall(): PackageCall {
    const { provider } = this.#options;
    const { settings, options, headers } = this.#options.request?.(this.#request) ?? {};
    const { temperature, maxOutputTokens } = { ...this.#request.settings, ...settings };
    const tools = toolsOf(this.#request.tools);
    return {
      prompt: promptOf(this.#request, provider),
      abortSignal: this.#stop.signal,
      ...(tools && { tools, toolChoice: { type: 'auto' as const } }),
      ...(temperature !== null && { temperature }),
      ...(maxOutputTokens !== null && { maxOutputTokens }),
      ...(options && { providerOptions: options }),
      ...(headers && { headers }),
    };
  }

  /** The events of the model port for one part of the answer; `working` shows progress that is not spoken. */
  *#eventsOf(part: LanguageModelV3StreamPart): Generator<ModelEvent, void> {
    switch (part.type) {
      case 'text-start':
      case 'text-end':
        this.#textOptions = part.providerMetadata ?? this.#textOptions;
        return;
      case 'text-delta':
        this.#textOptions = part.providerMetadata ?? this.#textOptions;
        if (part.delta !== '') yield { type: 'text', text: part.delta };
        return;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#keepReasoning(part);
        yield { type: 'working' };
        return;
      case 'tool-input-start':
        yield { type: 'tool_named' };
        return;
      case 'tool-input-delta':
        yield { type: 'working' };
        return;
      case 'tool-call':
        this.#hasCalledTools = true;
        yield {
          type: 'tool_call',
          call: {
            id: part.toolCallId,
            name: part.toolName,
            arguments: part.input.trim() === '' ? '{}' : part.input,
            ...this.#providerData({ options: part.providerMetadata }),
          },
        };
        return;
      case 'finish':
        yield this.#finishEvent(part.finishReason, part.usage);
        return;
      case 'error':
        throw part.error instanceof Error ? part.error : streamedError(this.#options.provider, part.error);
      default:
        // Other parts have nothing for the model port. Sources, files and the package's own tools are not requested.
        return;
    }
  }

  /** Collects reasoning that has to be sent back with the tool calls that follow from it. */
  #keepReasoning(part: Extract<LanguageModelV3StreamPart, { type: `reasoning-${string}` }>): void {
    if (this.#options.wantsReasoningBack === undefined) return;
    const known = this.#reasoning.get(part.id);
    const text = (known?.text ?? '') + (part.type === 'reasoning-delta' ? part.delta : '');
    const options = part.providerMetadata ?? known?.options;
    this.#reasoning.set(part.id, { text, ...(options && { options }) });
  }

  /** The end of the answer, with the data of the provider to be sent back with it. */
  #finishEvent(reason: LanguageModelV3FinishReason, usage: LanguageModelV3Usage): ModelPart {
    const reasoning = this.#hasCalledTools ? [...this.#reasoning.values()] : [];
    return {
      type: 'finish',
      reason: this.#reasonOf(reason),
      usage: usageOf(usage),
      ...this.#providerData({
        options: this.#textOptions,
        ...(reasoning.length > 0 && { reasoning }),
      }),
    };
  }

  /**
   * The reason for the end. An answer with tool calls ends as `tool_calls` unless it was cut or filtered: some servers
   * say `stop` (ollama#7963). An answer that ends as `tool-calls` without a call ends as `stop`.
   */
  #reasonOf({ unified }: LanguageModelV3FinishReason): Extract<ModelPart, { type: 'finish' }>['reason'] {
    if (this.#hasCalledTools && unified !== 'length' && unified !== 'content-filter') return 'tool_calls';
    if (unified === 'content-filter') return 'content_filter';
    if (unified === 'tool-calls') return 'stop';
    return unified === 'stop' || unified === 'length' ? unified : 'other';
  }

  /** Provider-specific data in the form that `promptOf` reads; empty if there is none. */
  #providerData(data: { options: SharedV3ProviderOptions | undefined; reasoning?: KeptData['reasoning'] }): {
    providerData?: KeptData;
  } {
    const { options, reasoning } = data;
    if (options === undefined && reasoning === undefined) return {};
    const { provider } = this.#options;
    return { providerData: { provider, ...(options && { options }), ...(reasoning && { reasoning }) } };
  }

  /** The error as a ModelError: it lacks the package's own message, which may quote words of the call. */
  #modelError(error: unknown): ModelError {
    const { provider } = this.#options;
    const known = modelErrorIn(error);
    if (known !== null) return known;
    const name = error instanceof Error ? error.name : 'no error';
    if (/TypeValidation|JSONParse|InvalidResponse|InvalidArgument/.test(name))
      return badAnswer(provider, `sent what its format does not know (${name})`);
    return name === 'AI_APICallError' || name === 'TypeError'
      ? connectionError(provider, error)
      : badAnswer(provider, `cannot be used: ${name}`);
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage {
  return {
    inputTokens: inputTokens.total ?? null,
    cachedInputTokens: inputTokens.cacheRead ?? null,
    outputTokens: outputTokens.total ?? null,
  };
}
