import type { Socket } from 'node:net';

/** Far more than the first messages of any protocol: the rest of a message that never ends is not waited for. */
const MOST_BYTES = 64 * 1024;

/**
 * Keeps peers who have not shown their right from filling the memory: a message may be a megabyte, and there may be
 * thousands of them. `onTooMuch` is called once, at most. Returns how to stop counting.
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
