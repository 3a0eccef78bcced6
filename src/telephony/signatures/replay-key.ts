import { createHash } from 'node:crypto';

/** A hash of several texts, unique to this list of texts. */
export function replayKey(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('base64url');
}

/**
 * {@link replayKey} of a message signed without its address. A carrier may send the same message to two of our
 * addresses within a second, so the path is included; the unsigned query is not, as changing it would turn a copy into
 * a new message.
 */
export function pathReplayKey(url: string, message: Buffer): string {
  return replayKey(url.split(/[?#]/, 1)[0]!, message);
}
