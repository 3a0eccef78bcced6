import { CarrierError, type CarrierStatus } from '../carrier.js';
import type { ApiAnswer, HttpClient } from '../http-client.js';
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
  readonly #http: HttpClient;

  /** @param access `accountUrl`: the address below which `Calls` lies, without a slash at the end */
  constructor(access: { accountUrl: string; apiKey: string }, http: HttpClient) {
    this.#access = access;
    this.#http = http;
  }

  /** Has a call placed; its SID. */
  async create(order: object, signal: AbortSignal): Promise<string> {
    const answer = await this.#send('POST', '/Calls', order, signal);
    refuseUnlessDone(answer);
    const sid = textIn(answer.json, 'sid');
    if (sid === undefined)
      throw new CarrierError('unknown', 'server_error', 'the carrier named no call in its answer');
    return sid;
  }

  async find(callSid: string, signal?: AbortSignal): Promise<FoundCall> {
    const answer = await this.#send('GET', callPath(callSid), undefined, signal);
    if (answer.status === 404) return { found: false };
    refuseUnlessDone(answer);
    const written = textIn(answer.json, 'call_status');
    const known = jambonzStatus(written, textIn(answer.json, 'sip_status'));
    // What is not yet known to ring, is on its way.
    const isOnItsWay = written === 'trying' || written === 'queued';
    return { found: true, status: known ?? (isOnItsWay ? 'ringing' : 'failed') };
  }

  /**
   * Changes a call; whether its state has allowed that. It is refused with 422 or, where the API does not pass that on,
   * with 500; so a failure of the API cannot be told from it.
   */
  async change(callSid: string, change: CallChange, signal?: AbortSignal): Promise<boolean> {
    const answer = await this.#send('PUT', callPath(callSid), change, signal);
    if (answer.status === 422 || answer.status === 500) return false;
    refuseUnlessDone(answer);
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

/** @throws CarrierError for any answer but a success */
function refuseUnlessDone({ status }: Pick<ApiAnswer, 'status'>): void {
  if (status >= 200 && status < 300) return;
  const code = String(status);
  if (status === 429)
    throw new CarrierError('not_dialled', 'rate_limited', 'the carrier takes no more calls now', code);
  if (status === 480)
    throw new CarrierError('not_dialled', 'unreachable', 'the carrier has no server for a call now', code);
  if (status >= 500) throw new CarrierError('unknown', 'server_error', 'the carrier failed', code);
  throw new CarrierError('not_dialled', 'refused', 'the carrier refused the request', code);
}

function textIn(json: unknown, key: string): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const value = (json as Record<string, unknown>)[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
