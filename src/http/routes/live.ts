import { PassThrough } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { Clock } from '#kernel/time/clock.js';
import { LIVE_EVENT_NAMES, LIVE_EVENTS } from '#live/live-message.js';
import type { LiveService } from '#live/live-service.js';
import { anyOf } from '#http/answers/lists.js';
import type { FastifyRequest } from 'fastify';

/** How often a client's credentials are checked again, and after how many checks an idle stream sends a comment. */
const LOOK_EVERY_MS = 5_000;
const LOOKS_PER_COMMENT = 3;
/** A client with this much unread data is too slow: it is disconnected and catches up when it reconnects. */
const MOST_UNREAD_BYTES = 1024 * 1024;

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

/** The union is only for the OpenAPI document: on the wire each event has its name. */
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

export interface LiveRouteParts {
  live: LiveService;
  clock: Clock;
}

/** Live events as server-sent events. */
export const liveRoutes: FastifyPluginAsyncZod<LiveRouteParts> = async (server, { live, clock }) => {
  server.addHook('preClose', async () => live.stop());
  server.route({
    method: 'GET',
    url: '/api/live',
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
      const stream = new EventStream(() => server.mayStay(request), clock);
      stream.begin(await live.join(filter, stream, lastId));
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        // The end of a stream closes its connection, so that a closing server does not wait for it.
        connection: 'close',
      });
      return reply.serializer(String).send(stream.body as never);
    },
  });
};

/** The stream of one client. */
class EventStream {
  readonly body = new PassThrough({ highWaterMark: MOST_UNREAD_BYTES });
  readonly #mayStay: () => Promise<boolean>;
  readonly #task: PeriodicTask;
  #looks = 0;

  constructor(mayStay: () => Promise<boolean>, clock: Clock) {
    this.#mayStay = mayStay;
    this.#task = new PeriodicTask(clock, { everyMs: LOOK_EVERY_MS, run: () => this.#look() });
  }

  /** @param leave called once when the stream ends, whichever side ends it */
  begin(leave: () => void): void {
    this.#task.start();
    const end = () => {
      this.#task.halt();
      leave();
    };
    if (this.body.destroyed) end();
    else this.body.once('close', end);
  }

  send(text: string): void {
    if (this.body.destroyed || this.body.writableEnded) return;
    this.body.write(text);
    if (this.body.writableLength + this.body.readableLength > MOST_UNREAD_BYTES) this.body.destroy();
  }

  end(): void {
    this.body.end();
  }

  async #look(): Promise<void> {
    this.#looks += 1;
    if (!(await this.#mayStay())) return this.end();
    if (this.#looks % LOOKS_PER_COMMENT === 0) this.send(': here\n\n');
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
