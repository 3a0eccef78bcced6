import { createHash } from 'node:crypto';

/** One text for several, which no other list of texts has; it shows nothing of what was in them. */
export function replayKey(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('base64url');
}

/**
 * {@link replayKey} of a message that is signed without its address. Carriers may tell two of our addresses the same
 * within one second, so the path counts; the query does not, or anything put there would make a copy a new message.
 */
export function pathReplayKey(url: string, message: Buffer): string {
  return replayKey(url.split(/[?#]/, 1)[0]!, message);
}
