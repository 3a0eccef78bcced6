import { badAnswer, streamedError } from '#dialogue/llm/model-errors.js';
import type { Chunk, StreamRepairs } from './repaired-stream.js';

/**
 * The types of content blocks, and of their deltas, that the service uses. Others are dropped: the parser of
 * `@ai-sdk/anthropic` rejects types that it does not know.
 */
const KNOWN_BLOCKS = new Set(['text', 'tool_use', 'thinking', 'redacted_thinking']);
const KNOWN_DELTAS = new Set(['text_delta', 'input_json_delta', 'thinking_delta', 'signature_delta']);

/**
 * Repairs one streamed answer of Anthropic's Messages API: drops events, blocks and deltas that the service does
 * not use, and turns error events into errors. Used by the provider `anthropic`.
 */
export class AnthropicRepairs implements StreamRepairs {
  readonly #provider: string;
  /** The id in the first `message_start`. */
  #messageId: unknown;
  #hasBegun = false;
  /** The indexes of dropped blocks. */
  readonly #unknownBlocks = new Set<unknown>();
  /** True after the event `message_stop`. */
  isComplete = false;

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** True at the end of the answer: nothing follows `message_stop`. */
  get isOver(): boolean {
    return this.isComplete;
  }

  /**
   * The event as the package's parser accepts it; empty for a dropped event.
   * @throws {ModelError} for an error event, or a start of another message
   */
  repair(event: Chunk): readonly Chunk[] {
    switch (event['type']) {
      case 'error':
        throw streamedError(this.#provider, event['error']);
      case 'message_start':
        return this.#start(event);
      case 'content_block_start':
        if (KNOWN_BLOCKS.has(typeOf(event['content_block']))) this.#unknownBlocks.delete(event['index']);
        else this.#unknownBlocks.add(event['index']);
        return this.#unknownBlocks.has(event['index']) ? [] : [event];
      case 'content_block_delta':
        return this.#unknownBlocks.has(event['index']) || !KNOWN_DELTAS.has(typeOf(event['delta']))
          ? []
          : [event];
      case 'content_block_stop':
        return this.#unknownBlocks.has(event['index']) ? [] : [event];
      case 'message_delta':
        return [event];
      case 'message_stop':
        this.isComplete = true;
        return [event];
      default:
        return [];
    }
  }

  /** One text delta in place of two successive text deltas of the same block; null if they cannot be joined. */
  join(first: Chunk, second: Chunk): Chunk | null {
    const [text, next] = [textIn(first), textIn(second)];
    if (text === null || next === null || first['index'] !== second['index']) return null;
    return { ...first, delta: { type: 'text_delta', text: text + next } };
  }

  /** Drops a repeated start. A start of another message invalidates the words so far and is an error. */
  #start(event: Chunk): readonly Chunk[] {
    const message = event['message'];
    const id = typeof message === 'object' && message !== null ? (message as Chunk)['id'] : undefined;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#messageId = id;
      return [event];
    }
    if (id === this.#messageId) return [];
    throw badAnswer(this.#provider, 'began its answer anew');
  }
}

/** The text of a text delta; null for other events. */
function textIn({ type, delta }: Chunk): string | null {
  if (type !== 'content_block_delta' || typeOf(delta) !== 'text_delta') return null;
  const { text } = delta as Chunk;
  return typeof text === 'string' ? text : null;
}

function typeOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? String((value as Chunk)['type']) : '';
}
