import type { IncomingHttpHeaders } from 'node:http';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Authenticator } from '#access/authenticator.js';
import type { Principal } from '#access/keys/principal.js';
import type { RecordingTokens } from '#access/tokens/recording-token.js';
import type { Links } from '#calls/call-links.js';
import { recordingResource, toRecordingResource } from '#calls/resources/recording-resource.js';
import type { Recordings } from '#calls/recordings/recordings.js';
import { requireScope } from '#http/admission/authentication.js';
import { flagQuery } from '#kernel/input/fields.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { callPath } from './call-path.js';

export interface CallRecordingRouteParts {
  recordings: Recordings;
  links: Links;
  tokens: RecordingTokens;
  /** An absolute path. */
  recordingsDir: string;
  authenticator: Authenticator;
}

const audio = z.string().meta({ format: 'binary', description: 'A WAV file.' });

/** The recording of a call (Interface: Recording response). */
export const callRecordingRoutes: FastifyPluginAsyncZod<CallRecordingRouteParts> = async (server, parts) => {
  // Only for its `sendFile`, which knows ranges; the folder itself is not served.
  await server.register(fastifyStatic, { root: parts.recordingsDir, serve: false, cacheControl: false });
  const { recordings, links, tokens, authenticator } = parts;
  const reader = async (headers: IncomingHttpHeaders): Promise<Principal> => {
    const principal = await authenticator.authenticate(headers);
    requireScope(principal, 'read');
    return principal;
  };

  server.route({
    method: 'GET',
    url: '/api/calls/:call_id/recording',
    schema: {
      operationId: 'getRecording',
      summary: 'Get the recording of a call',
      description:
        'Facts of the recording and a URL of its audio, signed anew with each request. 404 until the ' +
        'call has ended.',
      tags: ['Recordings'],
      params: callPath,
      response: { 200: answer('The recording.', recordingResource), ...problems(404) },
    },
    handler: async (request) => {
      const { call_id: callId } = request.params;
      return toRecordingResource(await recordings.get(request.principal, callId), links.recording(callId));
    },
  });

  server.route({
    method: 'GET',
    url: '/api/calls/:call_id/recording/audio',
    config: { scope: 'own' },
    schema: {
      operationId: 'getRecordingAudio',
      summary: 'Download a recording',
      description: 'The audio, whole or in ranges. A signed `token` or the usual credentials give access.',
      tags: ['Recordings'],
      params: callPath,
      querystring: z.object({
        token: z.string().max(200).optional().meta({ description: 'The token of a signed `recording_url`.' }),
        download: flagQuery
          .optional()
          .meta({ description: 'Send it as an attachment, to be saved as a file.' }),
      }),
      response: {
        200: { description: 'The whole file.', content: { 'audio/wav': { schema: audio } } },
        206: { description: 'The range asked for.', content: { 'audio/wav': { schema: audio } } },
        304: z.null().meta({ description: 'The client already has this file.' }),
        ...problems(401, 404, 412, 416),
      },
    },
    // A client that asked for too much is told how much there is (RFC 9110).
    onSend: async (request, reply) => {
      if (reply.statusCode !== 416) return;
      const { size_bytes: sizeBytes } = await recordings.getSigned(request.params.call_id);
      reply.header('content-range', `bytes */${sizeBytes}`);
    },
    handler: async (request, reply) => {
      const { call_id: callId } = request.params;
      const { token, download } = request.query;
      const isSigned = token !== undefined && tokens.isValid(callId, token);
      const recording = isSigned
        ? await recordings.getSigned(callId)
        : await recordings.get(await reader(request.headers), callId);
      await recordings.requireFile(recording);
      wholeWhenShorter(request.raw.headers, recording.size_bytes);
      if (download) reply.header('content-disposition', `attachment; filename="${recording.file_name}"`);
      return reply.type('audio/wav').sendFile(recording.file_name, { contentType: false });
    },
  });

  server.route({
    method: 'DELETE',
    url: '/api/calls/:call_id/recording',
    schema: {
      operationId: 'deleteRecording',
      summary: 'Delete the recording of a call',
      description: 'Deletes the audio for good; the call and its transcript stay.',
      tags: ['Recordings'],
      params: callPath,
      response: {
        200: answer(
          'The recording is deleted.',
          z.object({ call_id: z.string(), deleted: z.literal(true) }).meta({
            id: 'RecordingDeleted',
            description: 'A deleted recording.',
            examples: [{ call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af', deleted: true }],
          }),
        ),
        ...problems(404),
      },
    },
    handler: async (request) => {
      await recordings.remove(request.principal, request.params.call_id);
      return { call_id: request.params.call_id, deleted: true as const };
    },
  });
};

/**
 * Whoever wants the last bytes of a file, and more than it has, wants all of it (RFC 9110, 14.1.2); `sendFile` refuses.
 */
function wholeWhenShorter(headers: IncomingHttpHeaders, sizeBytes: number): void {
  const suffix = /^ *bytes=-(\d+) *$/.exec(headers.range ?? '')?.[1];
  if (suffix !== undefined && Number(suffix) > sizeBytes) headers.range = 'bytes=0-';
}
