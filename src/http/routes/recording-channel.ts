import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordingRow } from '#calls/recordings/recording.js';
import { Problem } from '#kernel/errors/errors.js';
import { channelBytes, readChannel, type Channel } from '#media/recording/one-channel.js';

/** A range of bytes; both ends are included. */
interface Range {
  first: number;
  last: number;
}

/**
 * Sends one side of a stereo recording, or both mixed, as a mono WAV file, whole or one range. Used by the route of a
 * recording's audio.
 * @param options.path the local stereo file
 * @throws Problem `range_not_satisfiable`
 */
export function sendChannel(
  request: FastifyRequest,
  reply: FastifyReply,
  { recording, channel, path }: { recording: RecordingRow; channel: Channel; path: string },
): FastifyReply {
  const sizeBytes = channelBytes(recording.size_bytes);
  const whole = { first: 0, last: sizeBytes - 1 };
  // Only GET has ranges (RFC 9110, 14.2); this route also answers HEAD.
  const requestedRange = request.method === 'GET' ? rangeOf(request.headers.range, sizeBytes) : null;
  if (requestedRange === 'outside')
    throw new Problem('range_not_satisfiable', 'The file is shorter than that.');
  const { first, last } = requestedRange ?? whole;
  if (requestedRange) reply.code(206).header('content-range', `bytes ${first}-${last}/${sizeBytes}`);
  reply.headers({ 'accept-ranges': 'bytes', 'content-length': String(last - first + 1) });
  const sampleRateHz = recording.sample_rate;
  return (
    reply
      .type('audio/wav')
      // The schema of the route is for the document: the body is a stream, which is sent as it is.
      .serializer(String)
      .send(readChannel(path, channel, { first, last, sampleRateHz, sizeBytes }))
  );
}

/**
 * Reads a `Range` header: `bytes=0-99`, `bytes=100-`, or `bytes=-100` for the last 100 bytes. Null for no range,
 * several ranges or an invalid one, for which the whole file is sent (RFC 9110, 14.2); `'outside'` for a range that the
 * file does not have.
 */
function rangeOf(header: string | undefined, sizeBytes: number): Range | null | 'outside' {
  const [, from = '', to = ''] = /^ *bytes=(\d*)-(\d*) *$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const first = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (first >= sizeBytes || (from === '' && Number(to) === 0)) return 'outside';
  return last < first ? null : { first, last };
}
