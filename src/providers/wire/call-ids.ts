import type { Ids } from '#kernel/ids/ids.js';

const ID_BYTES = 12;

/** Ids for tool calls that a server has given none: letters and digits alone, which every server takes back. */
export function callIdMaker(ids: Ids): () => string {
  return () => `call_${ids.secret(ID_BYTES).toString('hex')}`;
}
