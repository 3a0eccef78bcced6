import { badAnswer, cutError } from '#dialogue/llm/model-errors.js';
import { EventReader } from './event-stream.js';

/** An event of an answer, as JSON. */
export type Chunk = Record<string, unknown>;

/**
 * What one wire format needs so that a strict reader understands every server that speaks it; for one answer. Servers
 * differ in what they leave out and what they add: mending it here keeps every reader simple.
 */
export interface StreamRepairs {
  /**
   * The chunks to pass on in place of one; the very same object where nothing is wrong with it.
   * @throws {ModelError} where the chunk says that there will be no answer
   */
  repair(chunk: Chunk): readonly Chunk[];
  /**
   * One chunk in place of two that came together; null where they have to stay apart. Pieces of text that came together
   * are spoken together: what every chunk costs behind this is spent once for all of them.
   */
  joined?(first: Chunk, second: Chunk): Chunk | null;
  /** Whether the mark that ends an answer has come; a stream that ends without it was cut. */
  readonly isComplete: boolean;
  /** Whether nothing of use follows the mark: some servers keep the connection open. */
  readonly isOver: boolean;
}

/** Says that the stream is over; it comes after failures, too, and some servers leave it out. */
const DONE = '[DONE]';
const encoder = new TextEncoder();

interface RepairParts {
  provider: string;
  repairs: StreamRepairs;
  signal: AbortSignal | null;
}

/**
 * The chunks of a streamed answer, repaired, packet by packet.
 * @throws {ModelError} `cut` where it ends before its end mark, and what the repairs throw
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
    // What follows the end is not waited for.
    reader.cancel().catch(() => {});
  }
}

/** The same as the body of a response, for a reader that takes nothing else. */
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

function repaired(text: string, { provider, repairs }: RepairParts, isLast: boolean): RepairedChunk[] {
  const chunk = chunkOf(text);
  // A connection that ends within an event leaves half of its JSON.
  if (chunk === null)
    throw isLast ? cutError(provider) : badAnswer(provider, 'sent an event that is no JSON');
  return repairs.repair(chunk).map((one) => ({ chunk: one, text: one === chunk ? text : null }));
}

/** A chunk to be passed on, with the text that it came in where nothing was changed. */
interface RepairedChunk {
  chunk: Chunk;
  text: string | null;
}

function joinedChunks(chunks: readonly RepairedChunk[], repairs: StreamRepairs): RepairedChunk[] {
  const all: RepairedChunk[] = [];
  for (const next of chunks) {
    const last = all.at(-1);
    const chunk = last ? (repairs.joined?.(last.chunk, next.chunk) ?? null) : null;
    if (chunk === null) all.push(next);
    else all[all.length - 1] = { chunk, text: null };
  }
  return all;
}

function eventOf({ chunk, text }: RepairedChunk): string {
  return `data: ${text ?? JSON.stringify(chunk)}\n\n`;
}

function chunkOf(text: string): Chunk | null {
  try {
    const value: unknown = JSON.parse(text);
    // Gemini wraps an error into an array.
    const chunk: unknown = Array.isArray(value) ? value[0] : value;
    return typeof chunk === 'object' && chunk !== null ? (chunk as Chunk) : null;
  } catch {
    return null;
  }
}
