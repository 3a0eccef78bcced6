import type { Ids } from '#kernel/ids/ids.js';

const ID_BYTES = 12;

/**
 * Returns a function that makes an id for a tool call that a server sent without one. The ids have only letters, digits
 * and an underscore, which servers accept when the call is sent back. Used by the providers of language models.
 */
export function toolCallIdMaker(ids: Ids): () => string {
  return () => `call_${ids.secret(ID_BYTES).toString('hex')}`;
}
