import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordingRow } from '#calls/recordings/recording.js';
import type { Recordings } from '#calls/recordings/recordings.js';
import { Problem } from '#kernel/errors/errors.js';

interface ObjectToSend {
  recordings: Recordings;
  recording: RecordingRow;
  /** The name to save it as; null where it is to be played. */
  attachment: string | null;
  /** For how long an address of the storage is valid; null where clients cannot reach the storage. */
  objectAddressSeconds: number | null;
}

/** Sends a recording that is in object storage: by a signed address there, or its bytes. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  { recordings, recording, attachment, objectAddressSeconds: seconds }: ObjectToSend,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  // Pages of the service load from the service only (Content-Security-Policy).
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
