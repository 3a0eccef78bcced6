import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProtocolDetector } from '#telephony/detect-protocol.js';
import { ProtocolError } from '#media/protocols/stream-protocol.js';
import { begun, text, type StreamSample } from '#test/support/stream-sample.js';
import { STREAM_SAMPLES } from '#test/support/stream-samples.js';

/** Every place in a value that can be replaced, as the keys on the way to it. */
function places(value: unknown, way: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [way];
  return [way, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...way, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest, by) };
}

const known = ({ opening, sound, dtmf, mark, stop, others, create }: StreamSample): unknown[] => [
  ...opening,
  ...(create().audioFrames === 'text' ? [JSON.parse(sound(Buffer.alloc(160), 1).toString())] : []),
  dtmf,
  mark,
  ...(stop ? [stop] : []),
  ...others,
];

/** Values that break what is careless: wrong types, odd numbers, and objects that cannot be made a text. */
const strange = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, null, -1, 1e300, '', '\0', 'NaN', '2e3', [], {}, { toString: 1, valueOf: 1 }),
);
const message = (sample: StreamSample) =>
  fc.oneof(
    fc
      .constantFrom(...known(sample).flatMap((value) => places(value).map((way) => ({ value, way }))))
      .chain(({ value, way }) => strange.map((by) => text(replaced(value, way, by) ?? null))),
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  );

describe.each(STREAM_SAMPLES)('whatever $carrier might say', (sample) => {
  it('is understood, left unread or refused, with nothing else thrown', () => {
    const outcome = (act: () => unknown) => {
      try {
        return act();
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
        return error;
      }
    };
    fc.assert(
      fc.property(fc.array(message(sample), { maxLength: 4 }), fc.boolean(), (messages, isBinary) => {
        const [fresh, running, detect] = [sample.create(), begun(sample), createProtocolDetector()];
        for (const said of messages) {
          outcome(() => detect(said, isBinary));
          outcome(() => fresh.decode(said, isBinary));
          outcome(() => running.decode(said, isBinary));
        }
        expect(running.encodeAudio(new Int16Array(sample.sampleRateHz / 50)).length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});
