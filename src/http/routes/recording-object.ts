import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordingRow } from '#calls/recordings/recording.js';
import type { Recordings } from '#calls/recordings/recordings.js';
import { Problem } from '#kernel/errors/errors.js';

/** The recording to send, and how. */
interface ObjectToSend {
  recordings: Recordings;
  recording: RecordingRow;
  /** The file name for saving; null for playing. */
  attachment: string | null;
  /** How long an address of the storage is valid, in seconds; null if clients cannot reach the storage. */
  objectAddressSeconds: number | null;
}

/**
 * Sends a recording from object storage: redirects to a signed address, or sends the bytes to clients that cannot use
 * that address. Used by the route of a recording's audio.
 * @throws Problem `range_not_satisfiable`
 */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  { recordings, recording, attachment, objectAddressSeconds: seconds }: ObjectToSend,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  // The console's pages may load only from the service (Content-Security-Policy).
  const isOwnPage = request.headers['sec-fetch-site'] === 'same-origin';
  if (seconds !== null && !isOwnPage) {
    const options = { seconds, ...(attachment !== null && { attachment }) };
    return reply.redirect(await recordings.signedAddress(recording, options), 302);
  }
  const { status, headers, body } = await recordings.readObject(recording, request.headers.range);
  if (status === 416) throw new Problem('range_not_satisfiable', 'The file is shorter than that.');
  if (attachment !== null) reply.header('content-disposition', `attachment; filename="${attachment}"`);
  reply.code(status).headers(headers).type('audio/wav').serializer(String);
  return reply.send(body && Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]));
}
