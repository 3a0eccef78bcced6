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
  const repaired = (text: string, isLast: boolean): string => {
    isDone ||= text === DONE;
    if (isDone || text === '' || repairs.isOver) return '';
    const chunk = chunkOf(text);
    // A connection that ends within an event leaves half of its JSON.
    if (chunk === null)
      throw isLast ? cutError(provider) : badAnswer(provider, 'sent an event that is no JSON');
    const chunks = repairs.repair(chunk);
    if (chunks.length === 1 && chunks[0] === chunk) return `data: ${text}\n\n`;
    return chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const packet = await reader.read().catch((error: unknown) => {
          throw signal?.aborted ? error : cutError(provider);
        });
        const texts = packet.done ? events.end() : events.read(packet.value);
        const output = texts.map((text) => repaired(text, packet.done)).join('');
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
