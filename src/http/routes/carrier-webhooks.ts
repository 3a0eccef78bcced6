import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Authenticator } from '#access/authenticator.js';
import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { Problem } from '#kernel/errors/errors.js';
import {
  CARRIER_REQUEST_KINDS,
  type CarrierHttpAnswer,
  type CarrierHttpRequest,
  type CarrierRequestKind,
} from '#telephony/port/carrier-webhooks.js';
import { expectsMarkup, type CarrierWebhookDispatcher } from '#telephony/carrier-webhook-dispatcher.js';
import { CarrierAdmission } from '#http/admission/carrier-admission.js';
import type { RefusedCarrierRequests } from '#http/admission/refused-carrier-requests.js';
import { drainRefusedBody, sendProblem } from '#http/answers/error-rendering.js';

/** More than any carrier sends in one request. */
const MAX_BODY_BYTES = 256 * 1024;
/** The most time for reading and dropping a refused body: a caller may be on the line and hear silence meanwhile. */
const MAX_DRAIN_MS = 2_000;
/** The carrier whose codec reads and answers a request at `/voice` whose carrier no signature identifies. */
const DEFAULT_CARRIER = 'generic';
const VOICE = '/voice';

const carrierName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be the name of a carrier')
  .meta({ description: 'The carrier; an unknown name is treated as compatible with Twilio.' });
const requestKind = z
  .enum(CARRIER_REQUEST_KINDS)
  .meta({ description: 'The kind of request. The voice URL of a number is `incoming`.' });
const reference = z
  .string()
  .regex(/^dial_[0-9a-z]{26}$/, 'must be a reference of ours')
  .meta({ description: 'The dial attempt that the request is about, as given to the carrier.' });

/** The parts of the URL of a carrier's request. */
interface Address {
  /** Null at `/voice`, which all carriers share. */
  carrier: string | null;
  kind: CarrierRequestKind;
  dialRef: string | null;
}
const VOICE_ADDRESS: Address = { carrier: null, kind: 'incoming', dialRef: null };
const addressPath = z.object({ provider: carrierName, kind: requestKind });
const callAddressPath = addressPath.extend({ dial_ref: reference });

/** The answers to carriers, for the OpenAPI document. */
const ANSWERS = {
  200: {
    description: 'Call control markup in the carrier\'s format; `{"success": true}` for status reports.',
    content: {
      'application/xml': { schema: z.string().meta({ examples: ['<Response><Hangup/></Response>'] }) },
      'application/json': {
        schema: z
          .union([z.looseObject({}), z.array(z.looseObject({}))])
          .meta({ examples: [{ success: true }] }),
      },
    },
  },
};

/**
 * The routes for carriers' requests: `/voice` and `/webhook/<provider>/…`. Carriers announce incoming calls here, ask
 * for call-control markup, and report the states of calls. `CarrierAdmission` says which requests are admitted: usually
 * those with the carrier's signature.
 */
export const carrierWebhookRoutes: FastifyPluginAsyncZod<{
  dispatcher: CarrierWebhookDispatcher;
  authenticator: Pick<Authenticator, 'authenticate'>;
  clock: Clock;
  publicUrl: () => string;
  refused: RefusedCarrierRequests;
  /** True if requests without a signature are accepted. */
  allowsUnsigned: boolean;
}> = async (server, parts) => {
  // Bodies stay raw bytes: signatures cover them.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  // One content type for all requests, so that Fastify never refuses a body for its type. The carrier's codec reads the
  // body by the headers as they arrived (`request.raw`).
  server.addHook('onRequest', async (request) => {
    request.headers = { 'content-type': 'application/octet-stream' };
  });

  const { dispatcher } = parts;
  const admission = new CarrierAdmission({
    ...parts,
    countRefusedCredentials: (request) => server.countRefusedCredentials(request),
  });
  /** Requests whose sender was admitted: an error after that is a failure, not a refusal. */
  const admitted = new WeakSet<FastifyRequest>();
  const handle = async (request: FastifyRequest, reply: FastifyReply, address: Address) => {
    const received = toCarrierRequest(request, parts);
    const sender = await admission.senderOf(request, received, address);
    admitted.add(request);
    const carrier = sender?.carrier ?? address.carrier ?? DEFAULT_CARRIER;
    const replayKey = sender?.replayKey ?? null;
    return send(reply, await dispatcher.handle({ ...address, carrier, replayKey, request: received }));
  };
  // A carrier that expects call-control markup cannot play a JSON error, so it gets markup that apologises to the
  // caller. A request whose body could not be read has no valid signature, but may be from a carrier all the same.
  server.setErrorHandler(async (error: FastifyError, request, reply) => {
    const drained = drainRefusedBody(error, request, reply);
    await withTimeout(drained, { clock: parts.clock, limitMs: MAX_DRAIN_MS, onTimeout: () => {} });
    const address = addressOf(request);
    if (address === null)
      return sendProblem(new Problem('route_not_found', 'There is nothing at this path.'), request, reply);
    if (!expectsMarkup(address.kind) || admitted.has(request)) return sendProblem(error, request, reply);
    // The error is a refusal, or came before the sender was known.
    const refusal = await admission.admitFailed(request, error);
    if (refusal !== null) return sendProblem(refusal, request, reply);
    return send(reply, dispatcher.apologise(address.carrier ?? DEFAULT_CARRIER));
  });
  const sharedSchema = { tags: ['Carriers'], response: ANSWERS };
  // Some carriers use GET by default, with the parameters in the query. The OpenAPI document lists only POST.
  for (const method of ['POST', 'GET'] as const) addRoutes(method);

  function addRoutes(method: 'GET' | 'POST'): void {
    // A HEAD request must have no effect. `own`: `CarrierAdmission` checks the sender. Reports about live calls are
    // accepted at any rate, and during a drain.
    const shared = {
      method,
      exposeHeadRoute: false,
      config: { scope: 'own', limited: false, whileDraining: true } as const,
    };
    server.route({
      ...shared,
      url: VOICE,
      schema: {
        ...sharedSchema,
        hide: method === 'GET',
        operationId: 'answerIncomingCall',
        summary: 'Receive an incoming call',
        description:
          'The voice URL for numbers of any carrier that is set up; the signature identifies the ' +
          'carrier. The response greets the caller and opens an audio stream to the agent of the called ' +
          'number.',
      },
      handler: (request, reply) => handle(request, reply, VOICE_ADDRESS),
    });
    server.route({
      ...shared,
      url: '/webhook/:provider/:kind',
      schema: {
        ...sharedSchema,
        hide: method === 'GET',
        operationId: 'takeCarrierRequest',
        summary: "Receive a carrier's request",
        description:
          'Incoming calls (`incoming`) and reports about calls (`status`, `recording` and others).',
        params: addressPath,
      },
      handler: (request, reply) => {
        const { provider: carrier, kind } = request.params;
        return handle(request, reply, { carrier, kind, dialRef: null });
      },
    });
    server.route({
      ...shared,
      url: '/webhook/:provider/:kind/:dial_ref',
      schema: {
        ...sharedSchema,
        hide: method === 'GET',
        operationId: 'takeCarrierRequestOfCall',
        summary: "Receive a carrier's request about an outbound call",
        description: 'The addresses that the service gives to a carrier when it places a call.',
        params: callAddressPath,
      },
      handler: (request, reply) => {
        const { provider: carrier, kind, dial_ref: dialRef } = request.params;
        return handle(request, reply, { carrier, kind, dialRef });
      },
    });
  }
};

/** Sends the answer of a carrier's codec as bytes: the content type is the carrier's. */
function send(reply: FastifyReply, answer: CarrierHttpAnswer): FastifyReply {
  return reply.code(answer.status).type(answer.contentType).send(Buffer.from(answer.body));
}

/** The parts of the path of a request; null for a path that no route has. */
function addressOf(request: FastifyRequest): Address | null {
  if (request.routeOptions.url === VOICE) return VOICE_ADDRESS;
  const path = callAddressPath.partial({ dial_ref: true }).safeParse(request.params);
  if (!path.success) return null;
  const { provider: carrier, kind, dial_ref: dialRef = null } = path.data;
  return { carrier, kind, dialRef };
}

/**
 * Converts a request for the carrier's codec. The URL is the public one, which the carrier was given and signs: the
 * request's own `Host` header proves nothing.
 */
function toCarrierRequest(
  request: FastifyRequest,
  { clock, publicUrl }: { clock: Clock; publicUrl: () => string },
): CarrierHttpRequest {
  const headers = Object.entries(request.raw.headers).map(([name, value]) => [
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
