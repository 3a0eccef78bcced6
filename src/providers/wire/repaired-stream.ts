import { badAnswer, cutError } from '#dialogue/llm/model-errors.js';
import { EventReader } from './event-stream.js';

/** One event of a streamed answer, parsed from JSON. */
export type Chunk = Record<string, unknown>;

/**
 * The repairs of one answer, for one wire format. Servers of the same format omit and add fields; with the repairs one
 * strict parser reads all of them. Implemented by `ChatRepairs`, `AnthropicRepairs` and `GeminiRepairs`.
 */
export interface StreamRepairs {
  /**
   * Replaces a chunk by the chunks to pass on: none, or the same object if nothing is wrong with it.
   * @throws {ModelError} if the chunk reports a failure
   */
  repair(chunk: Chunk): readonly Chunk[];
  /**
   * Joins two chunks of the same packet into one; null if they must stay separate. Fewer chunks are cheaper to parse
   * and to pass on.
   */
  join?(first: Chunk, second: Chunk): Chunk | null;
  /** True after the end mark; a stream that ends without it was cut. */
  readonly isComplete: boolean;
  /** True if nothing useful follows the end mark: some servers keep the connection open. */
  readonly isOver: boolean;
}

/** The data of the last event in OpenAI's format. It does not prove success: it also follows failures. */
const DONE = '[DONE]';
const encoder = new TextEncoder();

/** The provider in errors, the repairs, and the signal that aborts the answer. */
interface RepairParts {
  provider: string;
  repairs: StreamRepairs;
  signal: AbortSignal | null;
}

/**
 * Reads a streamed answer of a model and yields its repaired chunks, packet by packet. Used by `aiSdkSource`, and by
 * {@link repairedStream} for `createModelFetch`.
 * @throws {ModelError} `cut` if the stream ends before its end mark, `bad_answer` for an event that is no JSON object,
 *   and the errors of the repairs; after an abort, the error of the reader
 */
export async function* repairedChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  parts: RepairParts,
): AsyncGenerator<readonly RepairedChunk[]> {
  const { provider, repairs, signal } = parts;
  const events = new EventReader();
  let isOver = false;
  try {
    while (!isOver) {
      const packet = await reader.read().catch((error: unknown) => {
        throw signal?.aborted ? error : cutError(provider);
      });
      const chunks: RepairedChunk[] = [];
      isOver = packet.done;
      for (const text of packet.done ? events.end() : events.read(packet.value)) {
        isOver ||= text === DONE || repairs.isOver;
        if (text === DONE || repairs.isOver) break;
        if (text !== '') chunks.push(...repaired(text, parts, packet.done));
      }
      isOver ||= repairs.isOver;
      if (chunks.length > 0) yield joinedChunks(chunks, repairs);
    }
    if (!repairs.isComplete) throw cutError(provider);
  } finally {
    // The stream may stay open after the end mark; the rest is not read.
    reader.cancel().catch(() => {});
  }
}

/** The repaired stream as the body of a response, for libraries that need one. */
export function repairedStream(
  body: ReadableStream<Uint8Array>,
  parts: RepairParts,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const chunks = repairedChunks(reader, parts);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value.map(eventOf).join('')));
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Parses and repairs the data of one event. @throws {ModelError} for data that is no JSON object */
function repaired(text: string, { provider, repairs }: RepairParts, isLast: boolean): RepairedChunk[] {
  const chunk = chunkOf(text);
  // A connection cut within an event leaves incomplete JSON.
  if (chunk === null)
    throw isLast ? cutError(provider) : badAnswer(provider, 'sent an event that is no JSON');
  return repairs.repair(chunk).map((passedOn) => ({
    chunk: passedOn,
    text: passedOn === chunk ? text : null,
  }));
}

/** A chunk to pass on, with its original text if it is unchanged, else null. */
interface RepairedChunk {
  chunk: Chunk;
  text: string | null;
}

/** The chunks of a packet, joined where the format allows it. */
function joinedChunks(chunks: readonly RepairedChunk[], repairs: StreamRepairs): RepairedChunk[] {
  const all: RepairedChunk[] = [];
  for (const next of chunks) {
    const last = all.at(-1);
    const chunk = last ? (repairs.join?.(last.chunk, next.chunk) ?? null) : null;
    if (chunk === null) all.push(next);
    else all[all.length - 1] = { chunk, text: null };
  }
  return all;
}

/** A chunk as a server-sent event. */
function eventOf({ chunk, text }: RepairedChunk): string {
  return `data: ${text ?? JSON.stringify(chunk)}\n\n`;
}

/** The chunk in the data of an event: a JSON object, or the first one of a list; null for anything else. */
function chunkOf(text: string): Chunk | null {
  try {
    const value: unknown = JSON.parse(text);
    // Gemini wraps errors in an array.
    const chunk: unknown = Array.isArray(value) ? value[0] : value;
    return typeof chunk === 'object' && chunk !== null ? (chunk as Chunk) : null;
  } catch {
    return null;
  }
}
