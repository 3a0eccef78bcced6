import { PassThrough } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { Clock } from '#kernel/time/clock.js';
import { LIVE_EVENT_NAMES, LIVE_EVENTS } from '#live/live-message.js';
import type { LiveService } from '#live/live-service.js';
import { anyOf } from '#http/answers/lists.js';
import type { FastifyRequest } from 'fastify';

/** How often the credentials of a connected client are checked again. */
const CHECK_EVERY_MS = 5_000;
/** After this many checks the stream sends a comment, which keeps proxies from closing an idle connection. */
const CHECKS_PER_COMMENT = 3;
/** A client with this much unread data is too slow: it is disconnected and catches up when it reconnects. */
const MAX_UNREAD_BYTES = 1024 * 1024;

const liveQuery = z.object({
  call_id: z.string().max(100).optional().meta({ description: 'Only what is about this call.' }),
  batch_id: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Only what is about this batch and its calls.' }),
  types: anyOf(z.enum(LIVE_EVENT_NAMES))
    .optional()
    .meta({ description: 'Only these events, repeated or separated by commas.' }),
  last_event_id: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'The same as the header `Last-Event-ID`, for clients that cannot set it.' }),
});

/** Each event with the name of its schema. For the OpenAPI document only: the stream itself is text. */
const liveStream = z
  .union(
    LIVE_EVENT_NAMES.map((event) =>
      z
        .object({
          event: z.literal(event).meta({ description: 'The name of the event.' }),
          id: z.string().meta({ description: 'Where the stream can be taken up again.' }),
          data: LIVE_EVENTS[event].meta({ description: 'What happened.' }),
        })
        .meta({ id: schemaName(event), description: `The event \`${event}\`.` }),
    ),
  )
  .meta({ id: 'LiveStreamEvent', description: 'One event of the stream.' });

/** The dependencies of the route of live events. */
export interface LiveRouteParts {
  live: LiveService;
  clock: Clock;
}

/**
 * The route that streams what happens in the workspace as server-sent events, for the console and for clients of the
 * API. Requires the scope `read`, and credentials that stay valid: the stream ends with them.
 */
export const liveRoutes: FastifyPluginAsyncZod<LiveRouteParts> = async (server, { live, clock }) => {
  server.addHook('preClose', async () => live.stop());
  server.route({
    method: 'GET',
    url: '/api/live',
    // Clients that reconnect do not use up the rate limit of their credentials.
    config: { limited: false },
    // A HEAD request would never end.
    exposeHeadRoute: false,
    schema: {
      operationId: 'streamLiveEvents',
      summary: 'Watch what happens, live',
      description:
        'Server-sent events of the workspace: states of calls and progress of batches from every process, words, ' +
        'steps and tools of the calls that this process carries, and deliveries that it makes. With `Last-Event-ID` ' +
        'the stream goes on from there; `sync` says that too much was missed, so that lists must be read again.',
      tags: ['Console'],
      querystring: liveQuery,
      response: {
        200: {
          description: 'The stream; it ends when the credentials do.',
          content: { 'text/event-stream': { schema: liveStream } },
        },
      },
    },
    handler: async (request, reply) => {
      const { call_id, batch_id, types, last_event_id } = request.query;
      const filter = {
        workspace: request.principal.workspace,
        callId: call_id ?? null,
        batchId: batch_id ?? null,
        types: types ?? null,
      };
      const lastId = last_event_id ?? headerOf(request, 'last-event-id');
      const stream = new EventStream(() => server.areCredentialsValid(request), clock);
      stream.begin(await live.join(filter, stream, lastId));
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        // nginx must pass events on at once.
        'x-accel-buffering': 'no',
        // The end of a stream closes its connection, so that a closing server does not wait for it.
        connection: 'close',
      });
      // The schema for the document describes events; the body is a stream of text.
      return reply.serializer(String).send(stream.body as never);
    },
  });
};

/**
 * The stream of server-sent events to one client. `LiveService` sends events to it and ends it at a shutdown. The
 * stream also ends when the client's credentials are no longer valid, or when the client reads too slowly.
 */
class EventStream {
  readonly body = new PassThrough({ highWaterMark: MAX_UNREAD_BYTES });
  readonly #areCredentialsValid: () => Promise<boolean>;
  readonly #task: PeriodicTask;
  #checkCount = 0;

  constructor(areCredentialsValid: () => Promise<boolean>, clock: Clock) {
    this.#areCredentialsValid = areCredentialsValid;
    this.#task = new PeriodicTask(clock, { everyMs: CHECK_EVERY_MS, run: () => this.#check() });
  }

  /** Starts the checks of the credentials. @param leave called once, when the stream ends on either side */
  begin(leave: () => void): void {
    this.#task.start();
    const end = () => {
      this.#task.halt();
      leave();
    };
    if (this.body.destroyed) end();
    else this.body.once('close', end);
  }

  /** Sends the text of an event, unless the stream has ended. Cuts off a client that reads too slowly. */
  send(text: string): void {
    if (this.body.destroyed || this.body.writableEnded) return;
    this.body.write(text);
    if (this.body.writableLength + this.body.readableLength > MAX_UNREAD_BYTES) this.body.destroy();
  }

  end(): void {
    this.body.end();
  }

  /** Ends the stream if the credentials are no longer valid; otherwise sends a comment from time to time. */
  async #check(): Promise<void> {
    this.#checkCount += 1;
    if (!(await this.#areCredentialsValid())) return this.end();
    if (this.#checkCount % CHECKS_PER_COMMENT === 0) this.send(': here\n\n');
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** `call.state` → `LiveCallState`. */
function schemaName(event: string): string {
  const words = event.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `Live${words.join('')}`;
}
