import { toInstant, type Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { COMMON_HEADERS } from '#webhooks/deliveries/delivery-attempter.js';
import type { OutcomeName } from '#webhooks/deliveries/outcome.js';
import type { Post, PostRequest } from '#webhooks/deliveries/post.js';
import { signatureHeaders } from '#webhooks/deliveries/signature.js';

/** A question that somebody waits on the telephone for: name, connection, headers and body together. */
export const QUESTION_TIMEOUT_MS = 2_000;
/** As much of an answer is read; what is longer is none. */
export const LARGEST_ANSWER_BYTES = 16 * 1024;

/** A question to a receiver of the customer. */
export interface Question {
  /** The same for the same question: receivers know a copy by it. */
  id: string;
  /** Such as `call.incoming`. */
  type: string;
  url: string;
  secret: string;
  /** What is told with it. */
  facts: Readonly<Record<string, unknown>>;
}

/** What a receiver said, or why it said nothing that counts. */
export type QuestionAnswer = { body: string | null } | { failure: Exclude<OutcomeName, 'success'> };

/** Asks once, signed as deliveries are. It never rejects, and never takes longer than {@link QUESTION_TIMEOUT_MS}. */
export type Ask = (question: Question) => Promise<QuestionAnswer>;

export function createAsk({ post, clock }: { post: Post; clock: Clock }): Ask {
  return async (question) => {
    const stop = new AbortController();
    const answered = post(requestOf(question, clock.wallMs()), stop.signal).then(
      ({ outcome, responseBody }): QuestionAnswer => {
        if (outcome === 'success') return { body: responseBody };
        return { failure: outcome === 'stopped' ? 'timeout' : outcome };
      },
    );
    // A connection that is being made cannot be called off at once; whoever asks does not wait for that.
    const onTimeout = (): QuestionAnswer => {
      stop.abort();
      return { failure: 'timeout' };
    };
    return withTimeout(answered, { clock, limitMs: QUESTION_TIMEOUT_MS, onTimeout });
  };
}

function requestOf({ id, type, url, secret, facts }: Question, now: number): PostRequest {
  const timestampSeconds = Math.floor(now / 1_000);
  const body = JSON.stringify({ type, ...facts, timestamp: toInstant(now) });
  const secrets = { current: secret, previous: null };
  return {
    url,
    body,
    headers: {
      ...COMMON_HEADERS,
      'x-service-event': type,
      'x-service-timestamp': String(timestampSeconds),
      ...signatureHeaders(secrets, { id, timestampSeconds, body }),
    },
  };
}
