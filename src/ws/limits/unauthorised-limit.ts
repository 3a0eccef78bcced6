import type { Socket } from 'node:net';

/** Far more than the first messages of any protocol need; a message that never ends is cut off here. */
const MOST_BYTES = 64 * 1024;

/**
 * Limits the bytes of an unauthenticated connection: a message may be a megabyte, and connections thousands.
 * `onTooMuch` is called at most once. Returns a function that stops counting.
 */
export function limitUnauthorised(connection: Socket, onTooMuch: () => void): () => void {
  let sizeBytes = 0;
  const count = (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes <= MOST_BYTES) return;
    stop();
    onTooMuch();
  };
  const stop = () => void connection.off('data', count);
  connection.on('data', count);
  return stop;
}
