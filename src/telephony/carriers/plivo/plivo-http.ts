import { refuseUnlessDone, textIn, type Refusal } from '#telephony/wire/api-refusal.js';
import type { ApiAnswer, ApiRequest, CarrierHttp } from '#telephony/wire/carrier-http.js';

/** Where Plivo is asked, and by whom. */
export interface PlivoAccount {
  /** Without a slash at the end. Paths below it have one: others are sent elsewhere. */
  accountUrl: string;
  authId: string;
  authToken: string;
}

/** Plivo names no codes: a refusal that is about the number says so in English. */
const ABOUT_THE_NUMBER = /\b(?:to|destination)\b.*\binvalid\b|\binvalid\b.*\b(?:to|destination)\b/i;

/** Requests to an account's REST API. All throw a {@link CarrierError} for what is no success. */
export class PlivoHttp {
  readonly #account: PlivoAccount;
  readonly #http: CarrierHttp;

  constructor(account: PlivoAccount, http: CarrierHttp) {
    this.#account = account;
    this.#http = http;
  }

  /** What is answered to an order. */
  async post(path: string, order: object, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#send('POST', path, { order, signal });
    refuseUnlessDone(answer, readRefusal);
    return answer.json;
  }

  /** Whether there was something to end. */
  async end(path: string): Promise<boolean> {
    const answer = await this.#send('DELETE', path);
    if (answer.status === 404) return false;
    refuseUnlessDone(answer, readRefusal);
    return true;
  }

  /** What there is at a path, or null. */
  async find(path: string): Promise<unknown> {
    const answer = await this.#send('GET', path);
    if (answer.status === 404) return null;
    refuseUnlessDone(answer, readRefusal);
    return answer.json;
  }

  #send(
    method: ApiRequest['method'],
    path: string,
    { order, signal }: { order?: object; signal?: AbortSignal } = {},
  ): Promise<ApiAnswer> {
    const { accountUrl, authId, authToken } = this.#account;
    const headers = {
      authorization: `Basic ${Buffer.from(`${authId}:${authToken}`).toString('base64')}`,
      accept: 'application/json',
    };
    const asked = { method, url: `${accountUrl}${path}`, headers };
    if (order === undefined) return this.#http.send(asked, signal);
    const typed = { ...headers, 'content-type': 'application/json' };
    return this.#http.send({ ...asked, headers: typed, body: JSON.stringify(order) }, signal);
  }
}

function readRefusal({ status, json }: ApiAnswer): Refusal {
  return status === 400 && ABOUT_THE_NUMBER.test(textIn(json, 'error') ?? '') ? { about: 'number' } : {};
}
