import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Principal } from '#access/keys/principal.js';
import type { RecordingTokens } from '#access/tokens/recording-token.js';
import type { Links } from '#calls/call-links.js';
import { recordingResource, toRecordingResource } from '#calls/resources/recording-resource.js';
import type { RecordingRow } from '#calls/recordings/recording.js';
import { channelBytes, CHANNELS, type Channel } from '#media/recording/one-channel.js';
import type { Recordings } from '#calls/recordings/recordings.js';
import { requireScope } from '#http/admission/authentication.js';
import type { HttpServer } from '#http/requests/request.js';
import { flagQuery, wholeNumberQuery } from '#kernel/input/fields.js';
import { sendChannel } from './recording-channel.js';
import { sendObject } from './recording-object.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { callPath } from './call-path.js';

/** The dependencies of the routes of recordings. */
export interface CallRecordingRouteParts {
  recordings: Recordings;
  links: Links;
  tokens: RecordingTokens;
  /** The folder of the recordings, as an absolute path. */
  recordingsDir: string;
  /** How long addresses of the object storage are valid, in seconds; null if clients cannot reach the storage. */
  objectAddressSeconds: number | null;
}

/** The schema for the peak levels of one side of the call, one for each of many equal periods. */
const loudness = (description: string) => z.array(z.number().min(0).max(1)).meta({ description });

const waveformResource = z
  .object({
    duration_ms: z.int().meta({ description: 'How long the recording is.' }),
    person: loudness('The customer, from 0 to 1.'),
    agent: loudness('The agent, from 0 to 1.'),
  })
  .meta({
    id: 'Waveform',
    description: 'How loud both sides are over a recording.',
    examples: [{ duration_ms: 42_000, person: [0, 0.31], agent: [0.52, 0.02] }],
  });

const audio = z.string().meta({ format: 'binary', description: 'A WAV file.' });

/**
 * The routes of a call's recording: its facts with a signed link, its audio, its waveform, and its deletion. Reading
 * requires the scope `read`, deleting `write`. The token of a signed link also gives access to the audio, because
 * players and browsers send no credentials.
 */
export const callRecordingRoutes: FastifyPluginAsyncZod<CallRecordingRouteParts> = async (server, parts) => {
  // Registered only for `reply.sendFile`, which supports ranges; the folder itself is not served.
  await server.register(fastifyStatic, { root: parts.recordingsDir, serve: false, cacheControl: false });
  const { recordings, links, tokens } = parts;
  const requireReader = async (request: FastifyRequest): Promise<Principal> => {
    const principal = await server.identify(request);
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
      response: { 200: answer('The recording.', recordingResource) },
    },
    handler: async (request) => {
      const { call_id: callId } = request.params;
      return toRecordingResource(await recordings.get(request.principal, callId), links.recording(callId));
    },
  });

  server.route({
    method: 'GET',
    url: '/api/calls/:call_id/recording/audio',
    // `own`: the handler checks the token or the credentials itself.
    config: { scope: 'own' },
    schema: {
      operationId: 'getRecordingAudio',
      summary: 'Download a recording',
      description:
        'The audio, whole or in ranges: stereo with the customer left and the agent right, or one `channel`. A signed ' +
        '`token` or the usual credentials give access. Of a recording in object storage it redirects to a signed address ' +
        'there, unless clients cannot reach it.',
      tags: ['Recordings'],
      params: callPath,
      querystring: z.object({
        token: z.string().max(200).optional().meta({ description: 'The token of a signed `recording_url`.' }),
        channel: z
          .enum(CHANNELS)
          .optional()
          .meta({ description: 'One side, or both in one channel (`mono`), in place of stereo.' }),
        download: flagQuery
          .optional()
          .meta({ description: 'Send it as an attachment, to be saved as a file.' }),
      }),
      response: {
        200: { description: 'The whole file.', content: { 'audio/wav': { schema: audio } } },
        206: { description: 'The range asked for.', content: { 'audio/wav': { schema: audio } } },
        302: z.null().meta({ description: 'It is in object storage: `Location` is a signed address there.' }),
        304: z.null().meta({ description: 'The client already has this file.' }),
        ...problems(401, 412, 416),
      },
    },
    // The response to a range that cannot be satisfied names the full length (RFC 9110, 15.5.17).
    onSend: async (request, reply) => {
      if (reply.statusCode !== 416) return;
      // Only the handler answers 416, and it has checked access: `getSigned` does not.
      const { size_bytes: sizeBytes } = await recordings.getSigned(request.params.call_id);
      const isWhole = request.query.channel === undefined;
      reply.header('content-range', `bytes */${isWhole ? sizeBytes : channelBytes(sizeBytes)}`);
    },
    handler: async (request, reply) => {
      const { call_id: callId } = request.params;
      const { token, download, channel } = request.query;
      const isSigned = token !== undefined && tokens.isValid(callId, token);
      const recording = isSigned
        ? await recordings.getSigned(callId)
        : await recordings.get(await requireReader(request), callId);
      const attachment = download ? attachmentOf(recording, channel) : null;
      // `sendObject` redirects to object storage, or passes the bytes on. One channel is computed here, from a copy.
      if (recording.storage === 's3' && channel === undefined)
        return sendObject(request, reply, { ...parts, recording, attachment });
      if (attachment !== null) reply.header('content-disposition', `attachment; filename="${attachment}"`);
      if (channel !== undefined) {
        const file = await recordings.openFile(recording);
        reply.raw.once('close', () => void file.close());
        return sendChannel(request, reply, { recording, channel, path: file.path });
      }
      await recordings.requireFile(recording);
      widenSuffixRange(request.raw.headers, recording.size_bytes);
      return reply.type('audio/wav').sendFile(recording.file_name, { contentType: false });
    },
  });

  waveformRoute(server, recordings);

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
      },
    },
    handler: async (request) => {
      await recordings.remove(request.principal, request.params.call_id);
      return { call_id: request.params.call_id, deleted: true as const };
    },
  });
};

function waveformRoute(server: HttpServer, recordings: Recordings): void {
  server.route({
    method: 'GET',
    url: '/api/calls/:call_id/waveform',
    schema: {
      operationId: 'getWaveform',
      summary: 'Get the waveform of a recording',
      description: 'The loudest sample of each of so many equal stretches of the recording, for both sides.',
      tags: ['Recordings'],
      params: callPath,
      querystring: z.object({
        buckets: wholeNumberQuery(z.int().min(1).max(10_000))
          .default(1_000)
          .meta({ type: 'integer', description: 'How many stretches.', examples: [1_000] }),
      }),
      response: { 200: answer('The waveform.', waveformResource) },
    },
    handler: async ({ principal, params, query }) => {
      const { durationMs, person, agent } = await recordings.waveform(
        principal,
        params.call_id,
        query.buckets,
      );
      return { duration_ms: durationMs, person, agent };
    },
  });
}

/** The file name of a download: `call_1.wav`, or `call_1-agent.wav` for one channel. */
function attachmentOf({ file_name: name }: RecordingRow, channel: Channel | undefined): string {
  return channel === undefined ? name : name.replace(/(\.\w+)$/, `-${channel}$1`);
}

/**
 * Changes a request for more last bytes than the file has (`bytes=-100` of 50) to one for the whole file, in place. RFC
 * 9110, 14.1.2 says that it means this; `sendFile` would refuse it.
 */
function widenSuffixRange(headers: IncomingHttpHeaders, sizeBytes: number): void {
  const suffix = /^ *bytes=-(\d+) *$/.exec(headers.range ?? '')?.[1];
  if (suffix !== undefined && Number(suffix) > sizeBytes) headers.range = 'bytes=0-';
}
