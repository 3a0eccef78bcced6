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
import { answerTo, modelFetch, type WrittenRequest } from '#providers/wire/model-fetch.js';
import { repairedChunks, type StreamRepairs } from '#providers/wire/repaired-stream.js';
import { promptOf, toolsOf, type KeptData } from './ai-sdk-prompt.js';
import { ChatAnswer } from './chat-answer.js';

/** How a provider's package is used for one model. */
export interface AiSdkModel {
  provider: string;
  model: string;
  account: string;
  isOperators: boolean;
  mayBeProbed: boolean;
  fetch: typeof fetch;
  wallMs: () => number;
  /** Loads the package, which costs a tenth of a second, once. */
  load(): Promise<MakeModel>;
  /** For one answer; null where the format is one that only the package knows. */
  repairs: (() => StreamRepairs) | null;
  /**
   * For packages that speak chat completions: the name under which they keep what belongs to a call. The package then
   * writes the request, and the answer is read here.
   */
  readsAs?: string;
  /** What goes with a request beside the usual. */
  request?(request: ModelRequest): {
    settings?: Partial<ModelSettings>;
    options?: SharedV3ProviderOptions;
    headers?: Record<string, string>;
  };
  /** Whether reasoning has to be sent back before the tool calls that came of it. */
  wantsReasoningBack?: true;
}

/** A model of the package whose requests go through this `fetch`; each makes its schemas anew, at some cost. */
export type MakeModel = (fetch: typeof globalThis.fetch) => LanguageModelV3;

/** A model behind a provider package of the AI SDK, without the SDK's own loop, retries and history. */
export function aiSdkSource(options: AiSdkModel): ModelSource {
  const { provider, model, account, isOperators, mayBeProbed } = options;
  const shared = new SharedModel(options.load);
  return {
    provider,
    model,
    account,
    isOperators,
    mayBeProbed,
    open: (request, signal) => new Answer({ ...options, shared }, request, signal).events(),
  };
}

/**
 * The model of a package, made once for all answers. A package hands the signal of an answer on to its request: by that
 * each request finds the `fetch` of its own answer.
 */
class SharedModel {
  readonly #load: () => Promise<MakeModel>;
  readonly #wires = new WeakMap<AbortSignal, typeof fetch>();
  #model: LanguageModelV3 | null = null;

  constructor(load: () => Promise<MakeModel>) {
    this.#load = load;
  }

  /** The answer as the package reads it. */
  async answer(call: PackageCall, wire: typeof fetch): Promise<AsyncIterable<LanguageModelV3StreamPart>> {
    const make = this.#model === null ? await this.#load() : null;
    this.#model ??= make!(this.#fetch);
    this.#wires.set(call.abortSignal, wire);
    return (await this.#model.doStream(call)).stream as AsyncIterable<LanguageModelV3StreamPart>;
  }

  /** The request as the package writes it; it is not sent. */
  async written(call: PackageCall): Promise<WrittenRequest> {
    let written: WrittenRequest | null = null;
    await this.answer(call, (...request) => {
      written = request;
      throw NOT_SENT;
    }).catch((error: unknown) => {
      if (written === null) throw error;
    });
    return written!;
  }

  readonly #fetch: typeof fetch = (input, init) => {
    const wire = init?.signal && this.#wires.get(init.signal);
    if (!wire) throw new Error('the package does not hand on the signal of its requests');
    return wire(input, init);
  };
}

/** Ends the work of a package that has only written a request. */
const NOT_SENT = new Error('the request was not sent');

/** The signal is of this answer alone. */
type PackageCall = LanguageModelV3CallOptions & { abortSignal: AbortSignal };

/** One answer of a model, as it is read. */
class Answer {
  readonly #options: AiSdkModel & { shared: SharedModel };
  readonly #request: ModelRequest;
  readonly #signal: AbortSignal;
  /** Of this answer alone. */
  readonly #stop = new AbortController();
  readonly #reasoning = new Map<string, { text: string; options?: SharedV3ProviderOptions }>();
  #textOptions: SharedV3ProviderOptions | undefined;
  #hasCalledTools = false;

  constructor(options: AiSdkModel & { shared: SharedModel }, request: ModelRequest, signal: AbortSignal) {
    this.#options = options;
    this.#request = request;
    this.#signal = signal;
  }

  async *events(): AsyncGenerator<ModelEvent, void> {
    let parts: AsyncIterator<LanguageModelV3StreamPart> | null = null;
    const stop = () => this.#stop.abort(this.#signal.reason);
    this.#signal.addEventListener('abort', stop, { once: true });
    if (this.#signal.aborted) stop();
    try {
      let accept = () => {};
      const accepted = new Promise<void>((resolve) => (accept = resolve));
      const opening = this.#open(accept);
      // It may fail when nobody reads on.
      opening.catch(() => {});
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

  async #open(onAccepted: () => void): Promise<AsyncIterable<LanguageModelV3StreamPart>> {
    const { provider, fetch, wallMs, shared, repairs, readsAs } = this.#options;
    const wire = { provider, fetch, wallMs, onAccepted };
    if (repairs === null || readsAs === undefined)
      return shared.answer(this.#call(), modelFetch({ ...wire, repairs: repairs?.() ?? null }));
    const body = await answerTo(await shared.written(this.#call()), wire);
    return this.#read(body, repairs(), new ChatAnswer(readsAs));
  }

  async *#read(
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

  #call(): PackageCall {
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
            ...this.#kept({ options: part.providerMetadata }),
          },
        };
        return;
      case 'finish':
        yield this.#finish(part.finishReason, part.usage);
        return;
      case 'error':
        throw part.error instanceof Error ? part.error : streamedError(this.#options.provider, part.error);
      default:
        // Sources, files and what only the package's own tools make: never asked for.
        return;
    }
  }

  #keepReasoning(part: Extract<LanguageModelV3StreamPart, { type: `reasoning-${string}` }>): void {
    if (this.#options.wantsReasoningBack === undefined) return;
    const known = this.#reasoning.get(part.id);
    const text = (known?.text ?? '') + (part.type === 'reasoning-delta' ? part.delta : '');
    const options = part.providerMetadata ?? known?.options;
    this.#reasoning.set(part.id, { text, ...(options && { options }) });
  }

  #finish(reason: LanguageModelV3FinishReason, usage: LanguageModelV3Usage): ModelPart {
    const reasoning = this.#hasCalledTools ? [...this.#reasoning.values()] : [];
    return {
      type: 'finish',
      reason: this.#reasonOf(reason),
      usage: usageOf(usage),
      ...this.#kept({
        options: this.#textOptions,
        ...(reasoning.length > 0 && { reasoning }),
      }),
    };
  }

  /** Tools that are called are called, whatever the reason says: some servers end with `stop` (ollama#7963). */
  #reasonOf({ unified }: LanguageModelV3FinishReason): Extract<ModelPart, { type: 'finish' }>['reason'] {
    if (this.#hasCalledTools && unified !== 'length' && unified !== 'content-filter') return 'tool_calls';
    if (unified === 'content-filter') return 'content_filter';
    if (unified === 'tool-calls') return 'stop';
    return unified === 'stop' || unified === 'length' ? unified : 'other';
  }

  #kept(data: { options: SharedV3ProviderOptions | undefined; reasoning?: KeptData['reasoning'] }): {
    providerData?: KeptData;
  } {
    const { options, reasoning } = data;
    if (options === undefined && reasoning === undefined) return {};
    const { provider } = this.#options;
    return { providerData: { provider, ...(options && { options }), ...(reasoning && { reasoning }) } };
  }

  /** Errors of the library repeat the request or the answer: their words stay here. */
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
