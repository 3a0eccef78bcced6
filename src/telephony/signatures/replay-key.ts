import { createHash } from 'node:crypto';

/**
 * The key by which copies of a signed message are recognised (`Verdict.replayKey`): a hash of what identifies the
 * message. The lengths are part of the hash, so that different lists of texts never have the same key.
 */
export function replayKey(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('base64url');
}

/**
 * {@link replayKey} of a message that is signed without its address. A carrier may send the same message to two
 * addresses of the service within a second, so the path is part of the key. The unsigned query is not: by changing it,
 * an attacker could turn a copy into a new message.
 */
export function pathReplayKey(url: string, message: Buffer): string {
  return replayKey(url.split(/[?#]/, 1)[0]!, message);
}
