import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Authenticator } from '../../access/authenticator.js';
import { DEFAULT_WORKSPACE } from '../../access/principal.js';
import type { Clock } from '../../kernel/clock.js';
import { Problem } from '../../kernel/errors.js';
import {
  CARRIER_REQUEST_KINDS,
  type CarrierHttpRequest,
  type CarrierRequestKind,
} from '../../telephony/carrier-webhooks.js';
import type { Switchboard } from '../../telephony/switchboard.js';

/** More than any carrier says in one request. */
const LARGEST_BODY_BYTES = 256 * 1024;
/** Who speaks at `/voice` without a signature that tells. */
const UNNAMED = 'generic';

const carrierName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be the name of a carrier')
  .meta({ description: 'The carrier; one that is not known here is taken to speak as Twilio does.' });
const requestKind = z
  .enum(CARRIER_REQUEST_KINDS)
  .meta({ description: 'What the request is about. A number is set up with `incoming`.' });
const reference = z
  .string()
  .regex(/^dial_[0-9a-z]{26}$/, 'must be a reference of ours')
  .meta({ description: 'The attempt to dial that the request is about, as the carrier was told.' });

const DOCUMENTS = {
  200: {
    description:
      'What to do with the call, in the words of the carrier; `{"success": true}` to mere reports.',
    content: {
      'application/xml': { schema: z.string().meta({ examples: ['<Response><Hangup/></Response>'] }) },
      'application/json': { schema: z.string().meta({ examples: ['{"success":true}'] }) },
    },
  },
};

/**
 * Where carriers tell what happens to calls (Interface: Reference endpoints, `/voice`; Secondary endpoints,
 * `/webhook/<provider>/incoming`). They must be signed as the carrier signs, or carry a credential of
 * the default workspace.
 */
export const carrierWebhookRoutes: FastifyPluginAsyncZod<{
  switchboard: Switchboard;
  authenticator: Pick<Authenticator, 'authenticate'>;
  clock: Clock;
  publicUrl: () => string;
  /** Whether requests are believed that nobody has signed. */
  allowsUnsigned: boolean;
}> = async (server, parts) => {
  // The bytes as they came: signatures cover them.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: LARGEST_BODY_BYTES },
    (_request, body, done) => done(null, body),
  );

  const take = async (
    request: FastifyRequest,
    reply: FastifyReply,
    address: { carrier: string | null; kind: CarrierRequestKind; dialRef: string | null },
  ) => {
    const received = read(request, parts);
    const sender = await parts.switchboard.senderOf(received, address.carrier);
    if (sender === null && !parts.allowsUnsigned) await requireCredential(request, parts, server);
    const carrier = sender?.carrier ?? address.carrier ?? UNNAMED;
    const replayable = sender?.replayable ?? null;
    const answer = await parts.switchboard.take({
      ...address,
      ...{ carrier, replayable, request: received },
    });
    return reply.code(answer.status).type(answer.contentType).send(Buffer.from(answer.body));
  };
  const told = { tags: ['Carriers'], response: DOCUMENTS };
  // Some carriers ask with GET unless they are told otherwise: the same in the query, and not worth a document.
  for (const method of ['POST', 'GET'] as const) addRoutes(method);

  function addRoutes(method: 'GET' | 'POST'): void {
    // Who asks for the head alone wants nothing to happen.
    const shared = {
      method,
      exposeHeadRoute: false,
      config: { scope: 'own', limited: false, whileDraining: true } as const,
    };
    server.route({
      ...shared,
      url: '/voice',
      schema: {
        ...told,
        hide: method === 'GET',
        operationId: 'answerIncomingCall',
        summary: 'A call comes in',
        description:
          'For the voice URL of a number at any carrier that is set up; the signature tells which one it is. The answer ' +
          'greets the caller and opens an audio stream to the agent of the called number.',
      },
      handler: (request, reply) => take(request, reply, { carrier: null, kind: 'incoming', dialRef: null }),
    });
    server.route({
      ...shared,
      url: '/webhook/:provider/:kind',
      schema: {
        ...told,
        hide: method === 'GET',
        operationId: 'takeCarrierRequest',
        summary: 'A carrier tells something',
        description: 'Incoming calls (`incoming`), and how calls go on.',
        params: z.object({ provider: carrierName, kind: requestKind }),
      },
      handler: (request, reply) => {
        const { provider: carrier, kind } = request.params;
        return take(request, reply, { carrier, kind, dialRef: null });
      },
    });
    server.route({
      ...shared,
      url: '/webhook/:provider/:kind/:dialRef',
      schema: {
        ...told,
        hide: method === 'GET',
        operationId: 'takeCarrierRequestOfCall',
        summary: 'A carrier tells something about a call of ours',
        description: 'The addresses that a carrier is given when a call is placed.',
        params: z.object({ provider: carrierName, kind: requestKind, dialRef: reference }),
      },
      handler: (request, reply) => {
        const { provider: carrier, kind, dialRef } = request.params;
        return take(request, reply, { carrier, kind, dialRef });
      },
    });
  }
};

/** The address is the one that the carrier was given: what its headers say of it proves nothing. */
function read(
  request: FastifyRequest,
  { clock, publicUrl }: { clock: Clock; publicUrl: () => string },
): CarrierHttpRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return {
    method: request.method === 'GET' ? 'GET' : 'POST',
    url: `${publicUrl()}${request.raw.url}`,
    headers: Object.fromEntries(headers),
    rawBody: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    receivedAt: clock.wallMs(),
  };
}

/** @throws Problem `forbidden` */
async function requireCredential(
  request: FastifyRequest,
  { authenticator }: { authenticator: Pick<Authenticator, 'authenticate'> },
  server: { countStranger(request: FastifyRequest): Promise<void> },
): Promise<void> {
  const principal = await authenticator.authenticate(request.headers).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'unauthorized') return null;
    throw error;
  });
  const mayStartCalls = principal?.scopes.some((scope) => scope === 'write' || scope === 'admin');
  // A carrier speaks for the numbers of all workspaces: only whoever runs the service may speak in its place.
  if (mayStartCalls && principal?.workspace === DEFAULT_WORKSPACE) return;
  await server.countStranger(request);
  throw new Problem('forbidden', 'The request is not signed as its carrier signs.');
}
