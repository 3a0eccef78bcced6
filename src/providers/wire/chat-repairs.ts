import { streamedError } from '#dialogue/llm/model-errors.js';
import { ThinkTagFilter } from './think-tag-filter.js';
import type { Chunk, StreamRepairs } from './repaired-stream.js';
import { ToolCallDeltas } from './tool-call-deltas.js';

/** Makes an id for a tool call without one. */
export type MakeCallId = () => string;

/**
 * Repairs one streamed answer in OpenAI's chat-completions format, which a dozen servers implement differently. Each
 * chunk is rewritten with the standard fields only: the parser behind is strict, and one odd field would end a turn.
 * Used by `openAiSource` and `chatSource`.
 */
export class ChatRepairs implements StreamRepairs {
  readonly #provider: string;
  readonly #calls: ToolCallDeltas;
  /** Separates reasoning within the text. */
  readonly #thoughts = new ThinkTagFilter();
  /** True after a finish reason of the first choice; further choices are never requested. */
  isComplete = false;
  /** Always false: the chunk with the token counts follows the finish reason. */
  readonly isOver = false;

  constructor(provider: string, makeCallId: MakeCallId) {
    this.#provider = provider;
    this.#calls = new ToolCallDeltas(makeCallId);
  }

  /**
   * The chunk with standard fields; empty for a chunk without content.
   * @throws {ModelError} for an error of the server
   */
  repair(chunk: Chunk): readonly Chunk[] {
    // Most chunks are plain text in the standard form, and rewriting them would double their cost.
    if (this.#thoughts.isIdle && isPlainText(chunk)) return [chunk];
    // Groq sends errors and token counts in a field of its own.
    const groq = objectOf(chunk['x_groq']);
    const error = chunk['error'] ?? groq?.['error'];
    if (error !== undefined && error !== null) throw streamedError(this.#provider, error);
    const usage = objectOf(chunk['usage']) ?? objectOf(groq?.['usage']);
    const choices = Array.isArray(chunk['choices']) ? chunk['choices'] : [];
    const choice = objectOf(choices[0]);
    // Keep-alives, Azure's prompt filter results, and other chunks without content.
    if (choice === null && usage === null) return [];
    const choicesToPass = choice === null ? [] : [this.#repairChoice(choice)];
    const { id, created, model } = chunk;
    return [
      {
        ...(typeof id === 'string' && { id }),
        ...(typeof created === 'number' && { created }),
        ...(typeof model === 'string' && { model }),
        choices: choicesToPass,
        ...(usage && { usage }),
      },
    ];
  }

  /** One text chunk in place of two successive text chunks; null if either is not plain text. */
  join(first: Chunk, second: Chunk): Chunk | null {
    if (!isPlainText(first) || !isPlainText(second)) return null;
    const [delta, next] = [deltaOf(first), deltaOf(second)];
    const content = appended(delta['content'], appended(next['content'], ''));
    return { ...first, choices: [{ index: 0, delta: { ...delta, content }, finish_reason: null }] };
  }

  /** The choice with the standard fields. @throws {ModelError} if the server broke the answer off */
  #repairChoice(choice: Chunk): Chunk {
    const reason = typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : '';
    // OpenRouter ends an answer this way when its upstream broke off.
    if (reason === 'error') throw streamedError(this.#provider, { code: 502 });
    if (reason !== '') this.isComplete = true;
    const delta = this.#repairDelta(objectOf(choice['delta']) ?? {});
    if (reason !== '') delta['content'] = appended(delta['content'], this.#thoughts.end());
    return { index: 0, delta, finish_reason: reason === '' ? null : reason };
  }

  /**
   * The delta with the standard fields. Reasoning is moved to `reasoning_content` from a field of another name, from a
   * part of the content, or from within the text; the first of these counts.
   */
  #repairDelta(delta: Chunk): Chunk {
    const content = partsOf(delta['content']);
    const filtered = this.#thoughts.read(content.text);
    const thought = [delta['reasoning_content'] ?? delta['reasoning'], content.thought, filtered.hidden].find(
      (text): text is string => typeof text === 'string' && text !== '',
    );
    const calls = Array.isArray(delta['tool_calls']) ? this.#calls.repair(delta['tool_calls']) : [];
    const refusal = delta['refusal'];
    return {
      ...(delta['role'] === 'assistant' && { role: 'assistant' }),
      ...(thought !== undefined && { reasoning_content: thought }),
      ...(filtered.visible !== '' && { content: filtered.visible }),
      ...(typeof refusal === 'string' && refusal !== '' && { refusal }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }
}

/** The delta of a plain text chunk. */
function deltaOf({ choices }: Chunk): Chunk {
  return objectOf(objectOf((choices as unknown[])[0])?.['delta']) ?? {};
}

const isNone = (value: unknown) => value === undefined || value === null;

/** True for a text chunk in exactly the standard form, not the last, without a `<` that could begin a reasoning tag. */
function isPlainText({ id, created, model, choices, usage, error, x_groq: groq }: Chunk): boolean {
  const choice = Array.isArray(choices) && choices.length === 1 ? objectOf(choices[0]) : null;
  const delta = objectOf(choice?.['delta']);
  if (choice === null || delta === null || choice['index'] !== 0) return false;
  const { content, role, ...others } = delta;
  return (
    typeof content === 'string' &&
    !content.includes('<') &&
    (isNone(role) || role === 'assistant') &&
    Object.keys(others).length === 0 &&
    [choice['finish_reason'], choice['logprobs'], usage, error, groq].every(isNone) &&
    typeof id === 'string' &&
    typeof created === 'number' &&
    typeof model === 'string'
  );
}

/** The text and the reasoning of a content: a string, or an array of parts as Mistral sends it. */
function partsOf(content: unknown): { text: string; thought: string } {
  if (typeof content === 'string') return { text: content, thought: '' };
  const parts = Array.isArray(content) ? content.map((part) => objectOf(part) ?? {}) : [];
  const textOf = (type: string) =>
    parts.flatMap((part) => (part['type'] === type ? [innerText(part[type])] : [])).join('');
  return { text: textOf('text'), thought: textOf('thinking') };
}

/** The text of a part: a string, or nested parts, whose texts are joined. */
function innerText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((part) => innerText(objectOf(part)?.['text'])).join('') : '';
}

/** The content with a text after it. */
function appended(content: unknown, rest: string): string {
  return `${typeof content === 'string' ? content : ''}${rest}`;
}

function objectOf(value: unknown): Chunk | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Chunk) : null;
}
