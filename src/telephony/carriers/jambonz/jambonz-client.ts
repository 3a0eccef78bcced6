import { requireSuccess, requireCallId, textIn, type Refusal } from '#telephony/wire/api-refusal.js';
import { UNKNOWN_STATUS, type CarrierStatus } from '#telephony/port/carrier.js';
import type { ApiAnswer, CarrierHttp } from '#telephony/wire/carrier-http.js';
import { jambonzStatus } from './jambonz-callbacks.js';

/** The result of looking up a call. */
export type FoundCall = { found: true; status: CarrierStatus } | { found: false };

/** A change of a call; the API accepts one change at a time. `duration` is in milliseconds. */
export type CallChange =
  | { call_status: 'completed' | 'no-answer' }
  | { call_hook: JambonzHook }
  | { dtmf: { digit: string; duration: number } };

/** A webhook in a request. The method is POST, because the signature of a GET covers nothing but the time. */
export interface JambonzHook {
  url: string;
  method: 'POST';
}

/**
 * The client of jambonz' REST API for the calls of an account, used by `JambonzApi`. Its methods throw a CarrierError
 * for an unsuccessful answer, unless stated otherwise. Source: docs.jambonz.org, REST API, calls.
 */
export class JambonzClient {
  readonly #access: { accountUrl: string; apiKey: string };
  readonly #http: CarrierHttp;

  /** @param access `accountUrl`: the parent URL of `Calls`, without a trailing slash */
  constructor(access: { accountUrl: string; apiKey: string }, http: CarrierHttp) {
    this.#access = access;
    this.#http = http;
  }

  /** Places a call; resolves with its id (SID). @param body the body of the request */
  async create(body: object, signal: AbortSignal): Promise<string> {
    const answer = await this.#send('POST', '/Calls', body, signal);
    requireSuccess(answer, readRefusal);
    return requireCallId(textIn(answer.json, 'sid'));
  }

  /** Looks up a call. */
  async find(callSid: string, signal?: AbortSignal): Promise<FoundCall> {
    const answer = await this.#send('GET', callPath(callSid), undefined, signal);
    if (answer.status === 404) return { found: false };
    requireSuccess(answer, readRefusal);
    const writtenStatus = textIn(answer.json, 'call_status');
    const status = jambonzStatus(writtenStatus ?? undefined, textIn(answer.json, 'sip_status') ?? undefined);
    return { found: true, status: status ?? UNKNOWN_STATUS };
  }

  /**
   * Changes a call; resolves with false if the state of the call does not allow the change. The API then answers 422,
   * or sometimes 500, which cannot be distinguished from a failure.
   */
  async change(callSid: string, change: CallChange, signal?: AbortSignal): Promise<boolean> {
    const answer = await this.#send('PUT', callPath(callSid), change, signal);
    if (answer.status === 422 || answer.status === 500) return false;
    requireSuccess(answer, readRefusal);
    return true;
  }

  /** Sends a request with the account's key; resolves with any answer. */
  #send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<ApiAnswer> {
    const { accountUrl, apiKey } = this.#access;
    const content = body && { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json', ...content };
    const request = {
      method,
      url: `${accountUrl}${path}`,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    };
    return this.#http.send(request, signal);
  }
}

function callPath(providerCallId: string): string {
  return `/Calls/${encodeURIComponent(providerCallId)}`;
}

/** The explanation of a refusal. Status 480 means that no server of the carrier has capacity. */
function readRefusal({ status }: ApiAnswer): Refusal {
  return status === 480 ? { cause: 'capacity' } : {};
}
