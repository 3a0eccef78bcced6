import type { StreamInstruction } from '#telephony/port/carrier.js';

/**
 * The address of a call's audio stream, for call-control markup and commands of every carrier.
 * @throws RangeError for an address with a query or a fragment, which carriers silently drop
 */
export function streamAddress(stream: StreamInstruction): string {
  if (/[?#]/.test(stream.url))
    throw new RangeError('the address of a stream must have no query and no fragment');
  return stream.url;
}
