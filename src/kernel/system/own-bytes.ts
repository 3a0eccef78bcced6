/**
 * The same bytes in memory that is all theirs, which another thread can be given: a window on a larger buffer, or on
 * one of Node's pool, is copied.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
