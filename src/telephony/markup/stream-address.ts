import type { StreamInstruction } from '#telephony/port/carrier.js';

/**
 * The address of a stream.
 * @throws RangeError for a query or a fragment: carriers silently drop them
 */
export function streamAddress(stream: StreamInstruction): string {
  if (/[?#]/.test(stream.url))
    throw new RangeError('the address of a stream must have no query and no fragment');
  return stream.url;
}
