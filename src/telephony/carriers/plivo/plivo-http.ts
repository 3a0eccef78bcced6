import { requireSuccess, textIn, type Refusal } from '#telephony/wire/api-refusal.js';
import type { ApiAnswer, ApiRequest, CarrierHttp } from '#telephony/wire/carrier-http.js';

/** URL and credentials of an account. */
export interface PlivoAccount {
  /** Without a trailing slash. The paths of requests below this URL end with a slash, or Plivo redirects them. */
  accountUrl: string;
  authId: string;
  authToken: string;
}

/** The English error message for an invalid called number. Plivo has no error codes, so only the message shows it. */
const INVALID_NUMBER_MESSAGE = /\b(?:to|destination)\b.*\binvalid\b|\binvalid\b.*\b(?:to|destination)\b/i;

/**
 * The client of Plivo's REST API for an account. Its methods throw a CarrierError for an unsuccessful answer, unless
 * stated otherwise. Used by `PlivoApi`.
 */
export class PlivoHttp {
  readonly #account: PlivoAccount;
  readonly #http: CarrierHttp;

  constructor(account: PlivoAccount, http: CarrierHttp) {
    this.#account = account;
    this.#http = http;
  }

  /** Sends a POST; resolves with the JSON of the answer. */
  async post(path: string, content: object, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#send('POST', path, { content, signal });
    requireSuccess(answer, readRefusal);
    return answer.json;
  }

  /** Sends a DELETE, which ends the call or the dial request at this path; false if there is none. */
  async end(path: string): Promise<boolean> {
    const answer = await this.#send('DELETE', path);
    if (answer.status === 404) return false;
    requireSuccess(answer, readRefusal);
    return true;
  }

  /** The JSON of the resource at a path; null if there is none. */
  async find(path: string): Promise<unknown> {
    const answer = await this.#send('GET', path);
    if (answer.status === 404) return null;
    requireSuccess(answer, readRefusal);
    return answer.json;
  }

  /** Sends a request with the account's credentials; resolves with any answer. */
  #send(
    method: ApiRequest['method'],
    path: string,
    { content, signal }: { content?: object; signal?: AbortSignal } = {},
  ): Promise<ApiAnswer> {
    const { accountUrl, authId, authToken } = this.#account;
    const headers = {
      authorization: `Basic ${Buffer.from(`${authId}:${authToken}`).toString('base64')}`,
      accept: 'application/json',
    };
    const request = { method, url: `${accountUrl}${path}`, headers };
    if (content === undefined) return this.#http.send(request, signal);
    const jsonHeaders = { ...headers, 'content-type': 'application/json' };
    return this.#http.send({ ...request, headers: jsonHeaders, body: JSON.stringify(content) }, signal);
  }
}

/** Finds the cause of a refusal: an invalid called number, or none that Plivo names. */
function readRefusal({ status, json }: ApiAnswer): Refusal {
  return status === 400 && INVALID_NUMBER_MESSAGE.test(textIn(json, 'error') ?? '')
    ? { cause: 'number' }
    : {};
}
