import type { Ids } from '#kernel/ids/ids.js';

const ID_BYTES = 12;

/** Makes ids for tool calls without one: only letters and digits, which every server accepts. */
export function callIdMaker(ids: Ids): () => string {
  return () => `call_${ids.secret(ID_BYTES).toString('hex')}`;
}
