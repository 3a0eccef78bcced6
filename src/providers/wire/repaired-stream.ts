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

/**
 * The body of a streamed answer, event by event, repaired.
 * @throws {ModelError} (into the stream) `cut` where it ends before its end mark, and what the repairs throw
 */
export function repairedStream(
  body: ReadableStream<Uint8Array>,
  parts: { provider: string; repairs: StreamRepairs; signal: AbortSignal | null },
): ReadableStream<Uint8Array> {
  const { provider, repairs, signal } = parts;
  const events = new EventReader();
  const reader = body.getReader();
  let isDone = false;
  const repaired = (text: string, isLast: boolean): RepairedChunk[] => {
    isDone ||= text === DONE;
    if (isDone || text === '' || repairs.isOver) return [];
    const chunk = chunkOf(text);
    // A connection that ends within an event leaves half of its JSON.
    if (chunk === null)
      throw isLast ? cutError(provider) : badAnswer(provider, 'sent an event that is no JSON');
    return repairs.repair(chunk).map((one) => ({ chunk: one, text: one === chunk ? text : null }));
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const packet = await reader.read().catch((error: unknown) => {
          throw signal?.aborted ? error : cutError(provider);
        });
        const texts = packet.done ? events.end() : events.read(packet.value);
        const chunks = texts.flatMap((text) => repaired(text, packet.done));
        const output = joinedChunks(chunks, repairs).map(eventOf).join('');
        if (output !== '') controller.enqueue(encoder.encode(output));
        const isOver = packet.done || isDone || repairs.isOver;
        if (isOver && !repairs.isComplete) throw cutError(provider);
        if (isOver) {
          controller.close();
          // What follows the end is not waited for.
          if (!packet.done) reader.cancel().catch(() => {});
        }
        if (isOver || output !== '') return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
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
