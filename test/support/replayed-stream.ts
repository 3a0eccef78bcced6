/** How a stream is cut into packets. */
export type Cutting = 'as events' | 'one byte at a time' | 'within characters' | 'several in a packet';
export const CUTTINGS: readonly Cutting[] = [
  'as events',
  'one byte at a time',
  'within characters',
  'several in a packet',
];

const EVENTS_A_PACKET = 7;

/** The bytes of a text in packets; `within characters` ends each packet in the middle of a character, if possible. */
export function packetsOf(events: readonly string[], cutting: Cutting): Uint8Array[] {
  const bytes = Buffer.from(events.join(''));
  switch (cutting) {
    case 'as events':
      return events.map((event) => Buffer.from(event));
    case 'one byte at a time':
      return Array.from(bytes, (byte) => Uint8Array.of(byte));
    case 'within characters':
      return slices(bytes, [...continuationBytes(bytes), ...inTheMiddle(events)]);
    case 'several in a packet':
      return events.flatMap((_event, i) =>
        i % EVENTS_A_PACKET === 0 ? [Buffer.from(events.slice(i, i + EVENTS_A_PACKET).join(''))] : [],
      );
  }
}

function continuationBytes(bytes: Uint8Array): number[] {
  return Array.from(bytes, (byte, at) => ((byte & 0xc0) === 0x80 ? at : -1)).filter((at) => at >= 0);
}

function inTheMiddle(events: readonly string[]): number[] {
  let start = 0;
  return events.map((event) => {
    const length = Buffer.byteLength(event);
    start += length;
    return start - Math.ceil(length / 2);
  });
}

function slices(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ordered = [0, ...new Set(places), bytes.length].sort((a, b) => a - b);
  return ordered.slice(1).flatMap((end, i) => (end > ordered[i]! ? [bytes.subarray(ordered[i], end)] : []));
}

/** A `fetch` that answers every request with these packets. */
export function replayingFetch(
  packets: readonly Uint8Array[],
  options: { breaks?: boolean } = {},
): typeof fetch {
  return () => {
    const left = packets.values();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { done, value } = left.next();
        if (!done) controller.enqueue(value);
        else if (options.breaks) controller.error(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
        else controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
}
