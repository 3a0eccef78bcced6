/** What follows from an attempt. */
export type Consequence =
  /** The receiver has it. */
  | 'delivered'
  /** Trying again later may help. */
  | 'retry'
  /** Trying again would not help. */
  | 'give_up'
  /** The receiver wants nothing any more. */
  | 'switch_off';

/** Every way an attempt can end, under the name that the log shows, and what follows from it. */
export const OUTCOMES = {
  success: 'delivered',
  redirect: 'give_up',
  client_error: 'give_up',
  gone: 'switch_off',
  blocked_address: 'give_up',
  request_timeout: 'retry',
  too_early: 'retry',
  rate_limited: 'retry',
  server_error: 'retry',
  /** Not all of the answer was there within the deadline. */
  timeout: 'retry',
  dns: 'retry',
  /** No connection: refused, or no way there. */
  unreachable: 'retry',
  tls: 'retry',
  /** The connection ended before the answer did. */
  reset: 'retry',
  /** What came back is not HTTP. */
  bad_response: 'retry',
} as const satisfies Record<string, Consequence>;

export type OutcomeName = keyof typeof OUTCOMES;
export const OUTCOME_NAMES = Object.keys(OUTCOMES) as [OutcomeName, ...OutcomeName[]];

const BY_STATUS: Readonly<Record<number, OutcomeName>> = {
  408: 'request_timeout',
  410: 'gone',
  425: 'too_early',
  429: 'rate_limited',
};

/** What an answer with this status means. */
export function outcomeOfStatus(status: number): OutcomeName {
  const known = BY_STATUS[status];
  if (known !== undefined) return known;
  if (status >= 200 && status < 300) return 'success';
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 400 && status < 500) return 'client_error';
  return status >= 500 && status < 600 ? 'server_error' : 'bad_response';
}
