import { refuseUnlessDone, requireCallId, textIn, type Refusal } from '#telephony/wire/api-refusal.js';
import { UNKNOWN_STATUS, type CarrierStatus } from '#telephony/port/carrier.js';
import type { ApiAnswer, CarrierHttp } from '#telephony/wire/carrier-http.js';
import { jambonzStatus } from './jambonz-callbacks.js';

/** A call, as far as the API knows it. */
export type FoundCall = { found: true; status: CarrierStatus } | { found: false };

/** A change of a call; the API takes one at a time. */
export type CallChange =
  | { call_status: 'completed' | 'no-answer' }
  | { call_hook: JambonzHook }
  | { dtmf: { digit: string; duration: number } };

/** A webhook that is asked with a signed body: the signature of a GET covers nothing. */
export interface JambonzHook {
  url: string;
  method: 'POST';
}

/**
 * Asks the REST API about the calls of an account. Source: docs.jambonz.org, REST API, calls.
 * @throws CarrierError for any answer but a success, where nothing else is said
 */
export class JambonzClient {
  readonly #access: { accountUrl: string; apiKey: string };
  readonly #http: CarrierHttp;

  /** @param access `accountUrl`: the address below which `Calls` lies, without a slash at the end */
  constructor(access: { accountUrl: string; apiKey: string }, http: CarrierHttp) {
    this.#access = access;
    this.#http = http;
  }

  /** Has a call placed; its SID. */
  async create(order: object, signal: AbortSignal): Promise<string> {
    const answer = await this.#send('POST', '/Calls', order, signal);
    refuseUnlessDone(answer, readRefusal);
    return requireCallId(textIn(answer.json, 'sid'));
  }

  async find(callSid: string, signal?: AbortSignal): Promise<FoundCall> {
    const answer = await this.#send('GET', callPath(callSid), undefined, signal);
    if (answer.status === 404) return { found: false };
    refuseUnlessDone(answer, readRefusal);
    const written = textIn(answer.json, 'call_status');
    const known = jambonzStatus(written ?? undefined, textIn(answer.json, 'sip_status') ?? undefined);
    return { found: true, status: known ?? UNKNOWN_STATUS };
  }

  /**
   * Changes a call; whether its state has allowed that. It is refused with 422 or, where the API does not pass that on,
   * with 500; so a failure of the API cannot be told from it.
   */
  async change(callSid: string, change: CallChange, signal?: AbortSignal): Promise<boolean> {
    const answer = await this.#send('PUT', callPath(callSid), change, signal);
    if (answer.status === 422 || answer.status === 500) return false;
    refuseUnlessDone(answer, readRefusal);
    return true;
  }

  #send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<ApiAnswer> {
    const { accountUrl, apiKey } = this.#access;
    const content = body && { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json', ...content };
    const sent = {
      method,
      url: `${accountUrl}${path}`,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    };
    return this.#http.send(sent, signal);
  }
}

function callPath(providerCallId: string): string {
  return `/Calls/${encodeURIComponent(providerCallId)}`;
}

/** 480: no server of the carrier can take a call now. */
function readRefusal({ status }: ApiAnswer): Refusal {
  return status === 480 ? { about: 'capacity' } : {};
}
