import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { Chunk } from '#providers/wire/repaired-stream.js';

/** A tool call, as far as it has arrived. */
interface PartialCall {
  id: string;
  name: string;
  /** The arguments, as JSON text. */
  input: string;
  /** Gemini's signature of a call, to be sent back with it. */
  signature: string | null;
}

/** The finish reasons of chat completions, in the AI SDK's terms. */
const FINISH_REASONS: Readonly<Record<string, LanguageModelV3FinishReason['unified']>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  function_call: 'tool-calls',
  tool_calls: 'tool-calls',
};

/**
 * Parses the chunks of one chat completion, after `ChatRepairs`, into the parts that AI SDK packages produce. It
 * replaces the packages' own parser, which passes each chunk through four streams and a schema: that takes more CPU
 * time than the rest of a turn. Used by `aiSdkSource`.
 */
export class ChatAnswer {
  /** The key of the package's provider-specific data in a part (`AiSdkModel.optionsKey`). */
  readonly #packageKey: string;
  /** Tool calls by their index in the answer. */
  readonly #calls = new Map<number, PartialCall>();
  #reason: string | undefined;
  #wasRefused = false;
  #usage: Chunk = {};

  constructor(packageKey: string) {
    this.#packageKey = packageKey;
  }

  /** The parts in a chunk. */
  *read({ choices, usage }: Chunk): Generator<LanguageModelV3StreamPart, void> {
    if (isObject(usage)) this.#usage = usage;
    const choice = Array.isArray(choices) ? (choices[0] as Chunk | undefined) : undefined;
    if (!isObject(choice)) return;
    if (typeof choice['finish_reason'] === 'string') this.#reason = choice['finish_reason'];
    const delta = isObject(choice['delta']) ? choice['delta'] : {};
    const { reasoning_content: reasoning, content, refusal, tool_calls: calls } = delta;
    if (isText(reasoning)) yield { type: 'reasoning-delta', id: 'reasoning', delta: reasoning };
    if (isText(content)) yield { type: 'text-delta', id: 'text', delta: content };
    // A refusal is the model's explanation in place of an answer, and is spoken.
    if (isText(refusal)) {
      this.#wasRefused = true;
      yield { type: 'text-delta', id: 'text', delta: refusal };
    }
    if (Array.isArray(calls)) for (const call of calls) yield this.#readCall(call as Chunk);
  }

  /** Ends the answer: yields the tool calls, which are complete now, and the finish reason. */
  *end(): Generator<LanguageModelV3StreamPart, void> {
    for (const { id, name, input, signature } of this.#calls.values())
      yield {
        type: 'tool-call',
        toolCallId: id,
        toolName: name,
        input,
        ...(signature !== null && {
          providerMetadata: { [this.#packageKey]: { thoughtSignature: signature } },
        }),
      };
    const unified = FINISH_REASONS[this.#reason ?? ''] ?? 'other';
    yield {
      type: 'finish',
      finishReason: {
        unified: unified === 'stop' && this.#wasRefused ? 'content-filter' : unified,
        raw: this.#reason,
      },
      usage: usageOf(this.#usage),
    };
  }

  /**
   * Adds the delta of a tool call. `ChatRepairs` has given every delta an index, and the first one of a call its id and
   * name.
   */
  #readCall({ index, id, function: called, extra_content: extra }: Chunk): LanguageModelV3StreamPart {
    const { name, arguments: piece } = called as { name?: string; arguments?: string };
    const known = this.#calls.get(index as number);
    if (known) {
      known.input += piece ?? '';
      return { type: 'tool-input-delta', id: known.id, delta: piece ?? '' };
    }
    const call = { id: String(id), name: String(name), input: piece ?? '', signature: signatureIn(extra) };
    this.#calls.set(index as number, call);
    return { type: 'tool-input-start', id: call.id, toolName: call.name };
  }
}

/** Gemini's signature in the vendor-specific field of a tool call. */
function signatureIn(extra: unknown): string | null {
  const google = isObject(extra) && isObject(extra['google']) ? extra['google'] : {};
  const { thought_signature: signature } = google;
  return isText(signature) ? signature : null;
}

/** The token counts in the AI SDK's form; undefined counts are unknown. */
function usageOf(usage: Chunk) {
  const details = isObject(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : {};
  const input = countIn(usage['prompt_tokens']);
  // A server that reports usage without cache counts is taken to have no cache.
  const cacheRead = input === undefined ? undefined : (countIn(details['cached_tokens']) ?? 0);
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead, cacheWrite: undefined },
    outputTokens: { total: countIn(usage['completion_tokens']), text: undefined, reasoning: undefined },
  };
}

function countIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is Chunk {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
