import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Authenticator } from '#access/authenticator.js';
import { SCOPES } from '#access/keys/principal.js';
import { isLinkSecret, type OpenedSession, type Session, type Sessions } from '#access/sessions/sessions.js';
import { Problem } from '#kernel/errors/errors.js';
import { instantOut } from '#kernel/input/fields.js';
import { toInstant, type Clock } from '#kernel/time/clock.js';
import { admit } from '#http/admission/authentication.js';
import { requireCsrfToken, sessionTokenOf, setSessionCookie } from '#http/admission/session-cookie.js';
import type { FastifyRequest } from 'fastify';
import type { HttpServer } from '#http/requests/request.js';
import { answer, problems } from '#http/schemas/route-schema.js';

/** The dependencies of the routes of console sessions. */
export interface ConsoleSessionParts {
  sessions: Sessions;
  authenticator: Authenticator;
  clock: Clock;
}

const tags = ['Console'];

const signIn = z
  .object({
    key: z
      .string()
      .min(1)
      .max(500)
      .meta({ description: 'An API key, or the secret of the link that a local start prints.' }),
  })
  .meta({ id: 'ConsoleSignIn', description: 'A sign-in.', examples: [{ key: 'cw_live_…' }] });

const session = z
  .object({
    csrf_token: z.string().meta({ description: 'Send it as `X-CSRF-Token` with every change.' }),
    workspace: z.string().meta({ description: 'The workspace that the session gives access to.' }),
    key_name: z.string().meta({ description: 'The name of the key that it was opened with.' }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'What it allows.' }),
    expires_at: instantOut.meta({ description: 'When it ends by itself.' }),
  })
  .meta({
    id: 'ConsoleSession',
    description: 'Somebody who is signed in.',
    examples: [
      {
        csrf_token: 'bG9uZy1hbmQtcmFuZG9t',
        workspace: 'default',
        key_name: 'Back office',
        scopes: ['read', 'write'],
        expires_at: '2026-12-01T21:00:00.000Z',
      },
    ],
  });

/**
 * The routes that sign in to the console, show the session and end it. Signing in exchanges an API key, or the secret
 * of the link that a local start prints, for a cookie that scripts cannot read. No route requires a scope: the key or
 * the cookie itself is checked.
 */
export const consoleSessionRoutes: FastifyPluginAsyncZod<ConsoleSessionParts> = async (server, parts) => {
  signInRoute(server, parts);
  currentSessionRoutes(server, parts);
};

function signInRoute(server: HttpServer, { sessions, authenticator, clock }: ConsoleSessionParts): void {
  // A link secret opens one session. Any other key is checked like the credentials of a request; of the valid ones only
  // API keys open a session, because each use of a session looks its key up again.
  const open = async (request: FastifyRequest, key: string): Promise<OpenedSession> => {
    if (isLinkSecret(key)) {
      // The same limit on guessing as for keys (`admit`): too many wrong secrets block the address for a minute.
      request.server.refuseGuessingAddress(request, [key]);
      const opened = await sessions.openByLink(key);
      if (opened) return opened;
      await request.server.countRefusedCredentials(request);
      throw new Problem('unauthorized', 'The link was used already, or is of an earlier start.');
    }
    const principal = await admit(request, authenticator, [key]);
    if (principal.type !== 'api_key') throw new Problem('unauthorized', 'Sign in with an API key.');
    return sessions.open(key, principal);
  };

  server.route({
    method: 'POST',
    url: '/console/session',
    config: { scope: 'public' },
    schema: {
      operationId: 'openConsoleSession',
      summary: 'Sign in to the console',
      description:
        'Exchanges an API key for the cookie `callwright_session`, which the whole API accepts in its place, with ' +
        'the scopes of the key, for 12 hours. It ends when the key is revoked.',
      tags,
      body: signIn,
      response: { 200: answer('Signed in.', session), ...problems(401, 429) },
    },
    handler: async (request, reply) => {
      // A session of the same browser ends with a new sign-in.
      const previousToken = sessionTokenOf(request);
      const opened = await open(request, request.body.key);
      if (previousToken !== null) await sessions.close(previousToken);
      const maxAgeSeconds = Math.max(1, Math.floor((opened.expiresAt - clock.wallMs()) / 1_000));
      setSessionCookie(request, reply, { token: opened.token, maxAgeSeconds });
      return toResource(opened);
    },
  });
}

function currentSessionRoutes(server: HttpServer, { sessions }: ConsoleSessionParts): void {
  server.route({
    method: 'GET',
    url: '/console/session',
    // `own`: the handler reads the cookie itself, because other credentials have no session to show.
    config: { scope: 'own' },
    schema: {
      operationId: 'getConsoleSession',
      summary: 'Get the session of the console',
      description: 'The session that the cookie of the request belongs to.',
      tags,
      response: { 200: answer('The session.', session), ...problems(401) },
    },
    handler: async (request) => {
      const token = sessionTokenOf(request);
      const found = token === null ? null : await sessions.find(token);
      if (!found) throw new Problem('unauthorized', 'Nobody is signed in.');
      return toResource(found);
    },
  });

  server.route({
    method: 'DELETE',
    url: '/console/session',
    // `own`: without a session, signing out succeeds in place of 401. It also works while the service shuts down.
    config: { scope: 'own', whileDraining: true },
    schema: {
      operationId: 'closeConsoleSession',
      summary: 'Sign out of the console',
      description: 'Ends the session for good. Without a session nothing changes.',
      tags,
      response: { 204: z.null().meta({ description: 'Signed out.' }), ...problems(403) },
    },
    handler: async (request, reply) => {
      const token = sessionTokenOf(request);
      const found = token === null ? null : await sessions.find(token);
      if (token !== null && found) {
        requireCsrfToken(request, found.csrfToken);
        await sessions.close(token);
      }
      setSessionCookie(request, reply, { token: '', maxAgeSeconds: 0 });
      return reply.code(204).send(null);
    },
  });
}

function toResource({ principal, csrfToken, expiresAt }: Session): z.infer<typeof session> {
  return {
    csrf_token: csrfToken,
    workspace: principal.workspace,
    key_name: principal.name,
    scopes: [...principal.scopes],
    expires_at: toInstant(expiresAt),
  };
}
