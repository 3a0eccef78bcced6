import { z } from 'zod';
import { Problem } from '#kernel/errors/errors.js';
import { jsonColumn } from '#store/statements/columns.js';
import { defineUnits, type Tx } from '#store/unit.js';

/** The answer to a request with an `Idempotency-Key`, as it is kept: plain data, made by the HTTP layer. */
export interface IdempotentAnswer {
  /** Who asked, and on which route. */
  scope: string;
  key: string;
  /** Fingerprint of the request: the same key with another fingerprint is refused. */
  requestHash: string;
  status: number;
  /** The body as it goes over the wire. */
  body: string;
  createdAt: number;
  expiresAt: number;
  /** What was made, where people's data in the answer may have to be erased later. */
  subjectId?: string;
}

/**
 * Makes, of the body that a request is answered with, what its key will answer again; null for a request without a key.
 * Where only the unit knows the body it is handed an {@link IdempotentAnswer} instead, and writes the body itself.
 */
export type KeepAnswer<Body> = (body: Body) => IdempotentAnswer | null;

/** A kept answer, found by its key. */
export interface KeptAnswer {
  requestHash: string;
  status: number;
  body: string;
}

/**
 * Keeps the answer in the transaction of the effect, so that either both survive or neither does. Units call it
 * first or last, with what `request.idempotency?.answer(…)` made: `if (args.answer) await keepAnswer(tx, args.answer)`.
 * @throws Problem `idempotency_in_progress` when another request with this key was quicker; the transaction is then
 *   undone and the HTTP layer replays the other one's answer
 */
export async function keepAnswer(tx: Tx, answer: IdempotentAnswer): Promise<void> {
  const kept = await tx.run(
    `insert into idempotency_keys
       (scope, idempotency_key, request_hash, response_status, response_body, subject_id, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (scope, idempotency_key) do update set
       request_hash = excluded.request_hash, response_status = excluded.response_status,
       response_body = excluded.response_body, subject_id = excluded.subject_id, created_at = excluded.created_at, expires_at = excluded.expires_at
     where idempotency_keys.expires_at <= excluded.created_at`,
    answer.scope,
    answer.key,
    answer.requestHash,
    answer.status,
    answer.body,
    answer.subjectId ?? null,
    answer.createdAt,
    answer.expiresAt,
  );
  if (kept === 0) {
    throw new Problem('idempotency_in_progress', 'A request with this Idempotency-Key was just accepted.', {
      retryAfterSeconds: 1,
    });
  }
}

/** Blanks fields of the answers that were kept about something: what was erased must not come back in a replay. */
export async function blankAnswers(tx: Tx, subjectId: string, fields: readonly string[]): Promise<void> {
  const rows = await tx.all(
    'select scope, idempotency_key, response_body from idempotency_keys where subject_id = ?',
    subjectId,
  );
  for (const row of rows) {
    const { scope, idempotency_key, response_body } = AnswerRow.parse(row);
    const entries = Object.entries(response_body).map(([field, value]) => [
      field,
      fields.includes(field) ? '' : value,
    ]);
    await tx.run(
      'update idempotency_keys set response_body = ? where scope = ? and idempotency_key = ?',
      JSON.stringify(Object.fromEntries(entries)),
      scope,
      idempotency_key,
    );
  }
}

const AnswerRow = z.object({
  scope: z.string(),
  idempotency_key: z.string(),
  response_body: jsonColumn(z.record(z.string(), z.unknown())),
});

/** What the HTTP layer and the housekeeping do with kept answers. */
export const idempotencyUnits = defineUnits('idempotency', {
  /** The answer kept under a key, or null; expired ones count as gone. */
  async find(tx: Tx, args: { scope: string; key: string; now: number }): Promise<KeptAnswer | null> {
    const row = await tx.get(
      `select request_hash, response_status, response_body from idempotency_keys
       where scope = ? and idempotency_key = ? and expires_at > ?`,
      args.scope,
      args.key,
      args.now,
    );
    if (!row) return null;
    return {
      requestHash: String(row['request_hash']),
      status: Number(row['response_status']),
      body: String(row['response_body']),
    };
  },

  /** Keeps an answer whose effect needs no transaction of its own. */
  async keep(tx: Tx, args: { answer: IdempotentAnswer }): Promise<void> {
    await keepAnswer(tx, args.answer);
  },

  /** Forgets at most `limit` expired answers and says how many. */
  purge(tx: Tx, args: { now: number; limit: number }): Promise<number> {
    return tx.run(
      `delete from idempotency_keys where (scope, idempotency_key) in (
         select scope, idempotency_key from idempotency_keys where expires_at <= ? order by expires_at limit ?)`,
      args.now,
      args.limit,
    );
  },
});
