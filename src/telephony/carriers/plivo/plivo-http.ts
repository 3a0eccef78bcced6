import { requireSuccess, textIn, type Refusal } from '#telephony/wire/api-refusal.js';
import type { ApiAnswer, ApiRequest, CarrierHttp } from '#telephony/wire/carrier-http.js';

/** URL and credentials of an account. */
export interface PlivoAccount {
  /** Without a trailing slash. Paths below it end with one: others are redirected. */
  accountUrl: string;
  authId: string;
  authToken: string;
}

/** Plivo has no error codes: only the English message shows that the called number is invalid. */
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

  /** Sends a DELETE, which ends a call or request; false if there is none at this path. */
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

/** The explanation of a refusal, if it is about the called number. */
function readRefusal({ status, json }: ApiAnswer): Refusal {
  return status === 400 && INVALID_NUMBER_MESSAGE.test(textIn(json, 'error') ?? '')
    ? { cause: 'number' }
    : {};
}
