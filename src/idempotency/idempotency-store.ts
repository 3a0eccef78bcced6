import { z } from 'zod';
import { Problem } from '#kernel/errors/errors.js';
import { jsonColumn } from '#store/statements/columns.js';
import { defineTransactions, noSubject, shareCommits, type Tx } from '#store/transaction.js';

/**
 * Stores the responses to requests with an `Idempotency-Key`, so that a repeated request gets the first response and
 * has no second effect. The module owns the table `idempotency_keys`.
 */

/** A response to store. Instants are epoch milliseconds. */
export interface IdempotentAnswer {
  /** The principal (who requests) and the route: keys are unique within both. */
  scope: string;
  /** The value of the header. */
  key: string;
  /** The fingerprint of the request: a repeat of the key with another fingerprint is refused. */
  requestHash: string;
  status: number;
  /** The exact response body. */
  body: string;
  createdAt: number;
  expiresAt: number;
  /** The id of the created record, if the response has personal data that may have to be erased. */
  subjectId?: string;
}

/**
 * Makes the response to store from its body; null for a request without a key. Routes pass this function to services,
 * which store the result with {@link keepAnswer}. Where only the transaction can know the body, the route passes an
 * {@link IdempotentAnswer} instead, and the transaction sets its body.
 */
export type KeepAnswer<Body> = (body: Body) => IdempotentAnswer | null;

/** A stored response, as it is replayed. */
export interface KeptAnswer {
  requestHash: string;
  status: number;
  body: string;
}

/**
 * Stores a response within the transaction of its effect, so that both are committed or neither is. Transactions of
 * other modules call it: `if (args.answer) await keepAnswer(tx, args.answer)`, with the result of
 * `request.idempotency?.answer`. An expired response of the same key is replaced.
 * @throws Problem `idempotency_in_progress` when another request with this key was committed first; the transaction is
 *   rolled back, and the HTTP layer replays the other response
 */
export async function keepAnswer(tx: Tx, answer: IdempotentAnswer): Promise<void> {
  const storedRows = await tx.run(
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
  if (storedRows === 0) {
    throw new Problem('idempotency_in_progress', 'A request with this Idempotency-Key was just accepted.', {
      retryAfterSeconds: 1,
    });
  }
}

/**
 * Empties fields of the stored responses about a record, so that erased personal data does not return in a replay. Used
 * when a call is erased.
 */
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

/** The columns that {@link blankAnswers} reads. */
const AnswerRow = z.object({
  scope: z.string(),
  idempotency_key: z.string(),
  response_body: jsonColumn(z.record(z.string(), z.unknown())),
});

/** The transactions of the HTTP layer (`replayAnswers`) and of housekeeping. */
export const idempotencyTransactions = defineTransactions('idempotency', {
  /** The stored response of a key; null if there is none, or it has expired. */
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

  /** Stores a response after its effect, where the effect is no transaction or many, such as an import. */
  async keep(tx: Tx, args: { answer: IdempotentAnswer }): Promise<void> {
    await keepAnswer(tx, args.answer);
  },

  /** Deletes at most `limit` expired responses and returns how many. */
  purge(tx: Tx, args: { now: number; limit: number }): Promise<number> {
    return tx.run(
      `delete from idempotency_keys where (scope, idempotency_key) in (
         select scope, idempotency_key from idempotency_keys where expires_at <= ? order by expires_at limit ?)`,
      args.now,
      args.limit,
    );
  },
});

// `find` only reads, so it may share a commit with any other transaction.
shareCommits(idempotencyTransactions, { find: noSubject });
