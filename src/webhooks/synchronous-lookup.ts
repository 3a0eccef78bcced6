import { toInstant, type Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { COMMON_HEADERS } from '#webhooks/deliveries/delivery-attempter.js';
import type { OutcomeName } from '#webhooks/deliveries/outcome.js';
import type { SendAttempt, AttemptRequest } from '#webhooks/deliveries/http-attempt.js';
import { signatureHeaders } from '#webhooks/deliveries/signature.js';

/** Short, because a caller waits on the line. It covers name resolution, connection, headers and body together. */
export const LOOKUP_TIMEOUT_MS = 2_000;
/** The most bytes of a response that are read. A longer response is cut, and its JSON is then invalid to the reader. */
export const LARGEST_ANSWER_BYTES = 16 * 1024;

/**
 * A synchronous request to a customer's receiver, whose answer the service waits for, such as the variables for an
 * incoming call (docs/webhooks.md, "Lookups").
 */
export interface Lookup {
  /** The id of the request. A repeated request has the same id, so that receivers can recognise it. */
  id: string;
  /** The event type, such as `call.incoming`. */
  type: string;
  url: string;
  secret: string;
  /** The fields of the request body without `type` and `timestamp`. */
  facts: Readonly<Record<string, unknown>>;
}

/** The body of a successful response (null if empty), or the outcome of a failure. */
export type LookupResult = { body: string | null } | { failure: Exclude<OutcomeName, 'success'> };

/** Sends one signed request, without retries. Never rejects, and takes at most {@link LOOKUP_TIMEOUT_MS}. */
export type LookUp = (lookup: Lookup) => Promise<LookupResult>;

/** Creates the function that sends lookups, for `WebhookService`; incoming calls use it. */
export function createLookUp({ send, clock }: { send: SendAttempt; clock: Clock }): LookUp {
  return async (lookup) => {
    const stop = new AbortController();
    const result = send(requestOf(lookup, clock.wallMs()), stop.signal).then(
      ({ outcome, responseBody }): LookupResult => {
        if (outcome === 'success') return { body: responseBody };
        // An attempt is stopped only by the timeout below.
        return { failure: outcome === 'stopped' ? 'timeout' : outcome };
      },
    );
    // The aborted attempt is not waited for: a connection that is being opened cannot be aborted at once.
    const onTimeout = (): LookupResult => {
      stop.abort();
      return { failure: 'timeout' };
    };
    return withTimeout(result, { clock, limitMs: LOOKUP_TIMEOUT_MS, onTimeout });
  };
}

/** The signed request of a lookup. */
function requestOf({ id, type, url, secret, facts }: Lookup, now: number): AttemptRequest {
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
