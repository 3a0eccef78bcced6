import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Clock } from '#kernel/time/clock.js';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import type { Store } from '#store/store.js';
import {
  idempotencyUnits,
  type IdempotentAnswer,
  type KeptAnswer,
  type KeepAnswer,
} from './idempotency-store.js';

const KEPT_FOR_MS = 24 * 3_600_000;
const LONGEST_KEY = 255;

/** A request that carries an `Idempotency-Key`, from the side of the route. */
export interface Idempotency {
  /**
   * What the route's unit must keep with `keepAnswer` in the transaction of the effect.
   * @param body the answer's body, as the handler will return it; null when the unit itself writes the text of `body`
   */
  answer(status: number, body: unknown): IdempotentAnswer;
}

/** Keeps what a request is answered with under its key, for those who know the body. */
export function keepAnswerOf(
  { idempotency }: { idempotency: Idempotency | null },
  status: number,
): KeepAnswer<unknown> {
  return (body) => idempotency?.answer(status, body) ?? null;
}

/** What a request asks, and who asks it: a repetition asks the same. */
export interface RepeatableRequest {
  /** Who asks, and on which route. */
  scope: string;
  /** Without its query. */
  path: string;
  /** The path below which what it makes is found. */
  madeUnder: string;
}

interface Parts {
  store: Store;
  clock: Clock;
  /** Null for a request whose route keeps no answers. */
  describe(request: FastifyRequest): RepeatableRequest | null;
}

/**
 * `Idempotency-Key`: the first answer to a key is given again to every repetition for 24 hours. The answer is kept by
 * the unit that has the effect (see `keepAnswer`); here keys are looked up and answers given again.
 */
export const replayAnswers = fastifyPlugin<Parts>(async (app, parts) => {
  /** What is under way in this process: scope and key, with the fingerprint of the request. */
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
    // 'close' comes for every response, also for one that nobody waits for any more.
    reply.raw.once('close', () => running.delete(idempotent.id));
    request.idempotency = idempotent;
    return (await idempotent.replay()) ? reply : undefined;
  });
});

/**
 * When an error says that another process was quicker with the same key, its answer is given instead.
 * @returns false when the error is to be answered as it is
 */
export async function replayInstead(error: unknown, request: FastifyRequest): Promise<boolean> {
  const isLate = error instanceof Problem && error.code === 'idempotency_in_progress';
  if (!isLate || !(request.idempotency instanceof IdempotentRequest)) return false;
  return request.idempotency.replay();
}

/** A request with a key. */
class IdempotentRequest implements Idempotency {
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

  /** Names the key within this process. */
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
      expiresAt: createdAt + KEPT_FOR_MS,
    };
  }

  /** Sends the kept answer; false when there is none. (A reply must not be returned: awaited, it becomes undefined.) */
  async replay(): Promise<boolean> {
    const { store, clock } = this.#parts;
    const found = { scope: this.#repeatable.scope, key: this.#key, now: clock.wallMs() };
    const kept: KeptAnswer | null = await store.read(idempotencyUnits.find, found);
    if (!kept) return false;
    if (kept.requestHash !== this.hash) throw reused();
    if (kept.status === 201) this.#reply.header('location', this.#locationOf(kept));
    void this.#reply
      .code(kept.status)
      .header('idempotent-replayed', 'true')
      .type('application/json; charset=utf-8')
      .send(kept.body);
    return true;
  }

  #locationOf({ body }: KeptAnswer): string {
    const { id } = JSON.parse(body) as { id: string };
    return `${this.#repeatable.madeUnder}/${id}`;
  }

  /** Exactly the text that the first answer is sent as. */
  #serialize(status: number, body: unknown): string {
    if (body === null) return 'null';
    const serialize =
      this.#reply.getSerializationFunction(String(status), 'application/json') ??
      this.#reply.getSerializationFunction(String(status)) ??
      JSON.stringify;
    return serialize(body);
  }
}

/** Two requests are the same when they ask the same of the same thing; spelling of the JSON does not matter. */
function hashOf(request: FastifyRequest, path: string): string {
  const said = JSON.stringify([path, request.query, request.body ?? null]);
  return createHash('sha256').update(said).digest('base64url');
}

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
