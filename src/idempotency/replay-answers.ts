/**
 * The HTTP side of `Idempotency-Key`: finds the stored response of a repeated request and sends it, and gives routes
 * the response to store. The HTTP server registers it as a plugin.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Clock } from '#kernel/time/clock.js';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import type { Store } from '#store/store.js';
import {
  idempotencyTransactions,
  type IdempotentAnswer,
  type KeptAnswer,
  type KeepAnswer,
} from './idempotency-store.js';

/** How long a response is replayed. */
const REPLAYED_FOR_MS = 24 * 3_600_000;
/** The most characters of a key. */
const LONGEST_KEY = 255;

/** A request with an `Idempotency-Key`, as routes use it (`request.idempotency`, null without the header). */
export interface Idempotency {
  /**
   * Makes the response to store with `keepAnswer` in the transaction of the effect.
   * @param body as the handler will return it; null if the transaction sets the body
   */
  answer(status: number, body: unknown): IdempotentAnswer;
}

/**
 * Makes the function by which a service turns the response body into the response to store for repetitions of the
 * request. The function returns null for a request without an `Idempotency-Key`.
 */
export function keepAnswerOf(
  { idempotency }: { idempotency: Idempotency | null },
  status: number,
): KeepAnswer<unknown> {
  return (body) => idempotency?.answer(status, body) ?? null;
}

/** The parts of a request that its repetitions share. */
export interface RepeatableRequest {
  /** The principal (who requests) and the route: keys are unique within both. */
  scope: string;
  /** The path, without its query. */
  path: string;
  /** The path of created resources, without their id, for the header `Location` of a replayed response. */
  resourcePath: string;
}

/** The dependencies of the plugin. */
interface Parts {
  store: Store;
  clock: Clock;
  /** Describes a request; null if its route stores no responses. */
  describe(request: FastifyRequest): RepeatableRequest | null;
}

/**
 * The Fastify plugin that replays the response to an `Idempotency-Key` for 24 hours. Before the handler runs, it looks
 * the key up; a stored response is sent in place of the handler's. A key whose first request is still running is
 * refused. The transaction of the effect stores the response (see `keepAnswer`).
 * @throws Problem `idempotency_in_progress`, `idempotency_key_reused`, or `validation_error` for an invalid key
 */
export const replayAnswers = fastifyPlugin<Parts>(async (app, parts) => {
  /** The requests that run in this process: fingerprints by scope and key. */
  const running = new Map<string, string>();
  app.decorateRequest('idempotency', null);
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    const repeatable = key === undefined ? null : parts.describe(request);
    if (key === undefined || repeatable === null) return;
    const idempotent = new IdempotentRequest(reply, repeatable, readKey(key), parts);
    const runningHash = running.get(idempotent.id);
    if (runningHash !== undefined) throw runningHash === idempotent.hash ? inProgress() : reused();
    running.set(idempotent.id, idempotent.hash);
    // 'close' is emitted for every response, also after the client has disconnected.
    reply.raw.once('close', () => running.delete(idempotent.id));
    request.idempotency = idempotent;
    return (await idempotent.replay()) ? reply : undefined;
  });
});

/**
 * Called by the error handler. If another process has committed the same key first (`idempotency_in_progress` from
 * `keepAnswer`), sends the response of that process and resolves with true. False for any other error, which the error
 * handler must send itself.
 */
export async function replayInstead(error: unknown, request: FastifyRequest): Promise<boolean> {
  const isLate = error instanceof Problem && error.code === 'idempotency_in_progress';
  if (!isLate || !(request.idempotency instanceof IdempotentRequest)) return false;
  return request.idempotency.replay();
}

/** A request with a key: its fingerprint, its stored response, and the response to store. */
class IdempotentRequest implements Idempotency {
  /** The fingerprint. */
  readonly hash: string;
  readonly #reply: FastifyReply;
  readonly #repeatable: RepeatableRequest;
  readonly #key: string;
  readonly #parts: Parts;

  constructor(reply: FastifyReply, repeatable: RepeatableRequest, key: string, parts: Parts) {
    this.#reply = reply;
    this.#repeatable = repeatable;
    this.#key = key;
    this.#parts = parts;
    this.hash = hashOf(reply.request, repeatable.path);
  }

  /** The key within this process. */
  get id(): string {
    return `${this.#repeatable.scope}\n${this.#key}`;
  }

  answer(status: number, body: unknown) {
    const createdAt = this.#parts.clock.wallMs();
    return {
      scope: this.#repeatable.scope,
      key: this.#key,
      requestHash: this.hash,
      status,
      body: this.#serialize(status, body),
      createdAt,
      expiresAt: createdAt + REPLAYED_FOR_MS,
    };
  }

  /**
   * Sends the stored response; resolves with false if there is none. (A promise cannot resolve with the reply: awaiting
   * a `FastifyReply` gives undefined.)
   * @throws Problem `idempotency_key_reused` if the key was used with another request
   */
  async replay(): Promise<boolean> {
    const { store, clock } = this.#parts;
    const wanted = { scope: this.#repeatable.scope, key: this.#key, now: clock.wallMs() };
    const stored: KeptAnswer | null = await store.read(idempotencyTransactions.find, wanted);
    if (!stored) return false;
    if (stored.requestHash !== this.hash) throw reused();
    if (stored.status === 201) this.#reply.header('location', this.#locationOf(stored));
    void this.#reply
      .code(stored.status)
      .header('idempotent-replayed', 'true')
      .type('application/json; charset=utf-8')
      .send(stored.body);
    return true;
  }

  /** The `Location` of a created resource. */
  #locationOf({ body }: KeptAnswer): string {
    const { id } = JSON.parse(body) as { id: string };
    return `${this.#repeatable.resourcePath}/${id}`;
  }

  /** The exact body that Fastify would send; the transaction of the effect replaces a `null`. */
  #serialize(status: number, body: unknown): string {
    if (body === null) return 'null';
    const serialize =
      this.#reply.getSerializationFunction(String(status), 'application/json') ??
      this.#reply.getSerializationFunction(String(status)) ??
      JSON.stringify;
    return serialize(body);
  }
}

/** The fingerprint of path, query and parsed body, so that the formatting of the JSON does not count. */
function hashOf(request: FastifyRequest, path: string): string {
  const fingerprinted = JSON.stringify([path, request.query, request.body ?? null]);
  return createHash('sha256').update(fingerprinted).digest('base64url');
}

/** The key in the header. @throws Problem `validation_error` for a key that is empty or too long */
function readKey(header: string | string[]): string {
  const key = String(header);
  if (key.length > 0 && key.length <= LONGEST_KEY) return key;
  const message = `must have 1 to ${LONGEST_KEY} characters`;
  throw fieldProblem('validation_error', 'header.idempotency-key', message, 'invalid_value');
}

function inProgress(): Problem {
  return new Problem(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running.',
    {
      retryAfterSeconds: 1,
    },
  );
}

function reused(): Problem {
  return new Problem('idempotency_key_reused', 'This Idempotency-Key was used with another request.');
}
