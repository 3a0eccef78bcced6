import { sleep, type Clock } from '../kernel/clock.js';
import {
  CarrierError,
  type CarrierTraits,
  type LookUp,
  type PlaceRequest,
  type TransferRequest,
} from './carrier.js';
import type { CarrierDialect, CarrierWebhooks, RemoteCarrier } from './carrier-webhooks.js';
import type { ApiAnswer, HttpClient } from './http-client.js';
import { jambonzStatus } from './jambonz-callbacks.js';
import { RecentIds } from './recent-ids.js';
import { transferAddress } from './transfer-address.js';

/** As many calls as are surely over when they are forgotten. */
const MOST_HANDED_OVER = 10_000;
const E164 = /^\+[1-9]\d{6,14}$/;
/** jambonz takes keys one by one: how long each sounds, and how long until the next one is asked for. */
const KEY_SOUND_MS = 100;
const KEY_MS = 150;
const PAUSE_MS = 500;
/** Nobody waits longer for all of them, and half of them would be worse than none. */
const LONGEST_KEYS_MS = 8_000;
/** Asked for when no application says it. Only the carrier's own voice and ear use these, and both may be missing. */
const SPEECH = {
  speech_synthesis_vendor: 'google',
  speech_synthesis_language: 'en-US',
  speech_synthesis_voice: 'en-US-Standard-C',
  speech_recognizer_vendor: 'google',
  speech_recognizer_language: 'en-US',
};

export interface JambonzAccess {
  /** The address below which `Calls` lies, without a slash at the end. */
  accountUrl: string;
  apiKey: string;
  /** Whose voice and recogniser the carrier uses; its own webhooks are called then. Null for none. */
  applicationSid: string | null;
  callsPerSecond: number;
  detectsMachines: boolean;
}

export interface JambonzParts {
  clock: Clock;
  http: HttpClient;
  publicUrl: () => string;
  dialect: CarrierDialect;
  verify: CarrierWebhooks['verify'];
}

/**
 * jambonz over its REST API. It cannot be asked for a call by our own reference and knows no repeated requests: a
 * request whose answer is lost stays uncertain until a webhook comes, which carries the reference.
 * Source: docs.jambonz.org, REST API, calls.
 */
export class JambonzApi implements RemoteCarrier {
  readonly name = 'jambonz';
  readonly traits: CarrierTraits;
  readonly webhooks: CarrierWebhooks;
  readonly #access: JambonzAccess;
  readonly #parts: JambonzParts;
  readonly #handedOver = new RecentIds(MOST_HANDED_OVER);
  #isClosed = false;

  constructor(access: JambonzAccess, parts: JambonzParts) {
    this.traits = { lookUp: 'none', idempotentPlace: false, callsPerSecond: access.callsPerSecond };
    this.webhooks = { ...parts.dialect, verify: parts.verify };
    this.#access = access;
    this.#parts = parts;
  }

  async place(asked: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }> {
    if (this.#isClosed) throw new CarrierError('not_dialled', 'unreachable', 'the carrier is closed');
    if (this.#parts.clock.wallMs() > asked.sendBefore)
      throw new CarrierError('not_dialled', 'late', 'the time to dial is over');
    refuseInvalid(asked.to);
    const answer = await this.#send('POST', '/Calls', { body: this.#order(asked), signal });
    refuseUnlessDone(answer);
    const providerCallId = textIn(answer.json, 'sid');
    if (providerCallId === undefined)
      throw new CarrierError('unknown', 'server_error', 'the carrier named no call in its answer');
    return { providerCallId };
  }

  /**
   * A call that was answered is completed, and one that was not is given up (`no-answer`): jambonz refuses either for
   * the other, with 422 or, where its API does not pass that on, with 500. Then it has just been answered, or is over.
   */
  async hangUp(providerCallId: string): Promise<void> {
    for (let tries = 0; tries < 2; tries++) {
      const { call, answer } = await this.#find(providerCallId);
      if (call === null && answer.status !== 404) refuseUnlessDone(answer);
      if (call?.status !== 'answered' && call?.status !== 'ringing') return;
      const call_status = call.status === 'answered' ? 'completed' : 'no-answer';
      const { status } = await this.#update(providerCallId, { call_status });
      if (status === 404) return;
      if (status !== 422 && status !== 500) return refuseUnlessDone({ status });
    }
    throw new CarrierError('not_dialled', 'server_error', 'the carrier did not end the call');
  }

  /** jambonz fetches the document from us. What is certainly wrong is refused here, because it refuses nothing itself. */
  async transfer({ providerCallId, to, from }: TransferRequest, signal: AbortSignal): Promise<void> {
    refuseInvalid(to);
    const { call } = await this.#find(providerCallId, signal);
    if (call?.status !== 'answered' || this.#handedOver.has(providerCallId))
      throw new CarrierError('not_dialled', 'refused', 'the call cannot be handed over');
    const url = transferAddress(this.#parts.publicUrl(), this.name, { to, from });
    refuseUnlessDone(await this.#update(providerCallId, { call_hook: post(url) }, signal));
    this.#handedOver.add(providerCallId);
  }

  async lookUp(_dialRef: string, providerCallId: string | null): Promise<LookUp> {
    if (providerCallId === null) return { found: false };
    const { call, answer } = await this.#find(providerCallId);
    if (call !== null) return { found: true, providerCallId, status: call.status };
    if (answer.status !== 404) refuseUnlessDone(answer);
    return { found: false };
  }

  async sendDigits(providerCallId: string, digits: string, signal: AbortSignal): Promise<void> {
    const keys = [...digits].map((key) => ({ key, lengthMs: key === 'w' ? PAUSE_MS : KEY_MS }));
    if (keys.reduce((sum, { lengthMs }) => sum + lengthMs, 0) > LONGEST_KEYS_MS)
      throw new CarrierError('not_dialled', 'refused', 'so many keys take too long');
    for (const { key, lengthMs } of keys) {
      const dtmf = { digit: key, duration: KEY_SOUND_MS };
      if (key !== 'w') refuseUnlessDone(await this.#update(providerCallId, { dtmf }, signal));
      await sleep(this.#parts.clock, lengthMs, signal);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #order({ dialRef, to, from, ringTimeoutSeconds }: PlaceRequest): object {
    const { applicationSid, detectsMachines } = this.#access;
    const addressOf = (kind: string) => `${this.#parts.publicUrl()}/webhook/${this.name}/${kind}/${dialRef}`;
    return {
      ...(applicationSid === null ? SPEECH : { application_sid: applicationSid }),
      call_hook: post(addressOf('answer')),
      call_status_hook: post(addressOf('status')),
      from,
      to: { type: 'phone', number: to },
      timeout: ringTimeoutSeconds,
      tag: { dial_ref: dialRef },
      ...(detectsMachines ? { amd: { actionHook: addressOf('machine') } } : {}),
    };
  }

  async #find(providerCallId: string, signal?: AbortSignal) {
    const answer = await this.#send('GET', callPath(providerCallId), signal ? { signal } : {});
    if (answer.status !== 200) return { call: null, answer };
    const written = textIn(answer.json, 'call_status');
    const known = jambonzStatus(written, textIn(answer.json, 'sip_status'));
    // What is not yet known to ring, is on its way.
    const status = known ?? (written === 'trying' || written === 'queued' ? 'ringing' : 'failed');
    return { call: { status }, answer };
  }

  #update(providerCallId: string, body: object, signal?: AbortSignal): Promise<ApiAnswer> {
    return this.#send('PUT', callPath(providerCallId), { body, ...(signal ? { signal } : {}) });
  }

  #send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    { body, signal }: { body?: object; signal?: AbortSignal } = {},
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
    return this.#parts.http.send(sent, signal);
  }
}

function callPath(providerCallId: string): string {
  return `/Calls/${encodeURIComponent(providerCallId)}`;
}

/** A webhook that is asked with a signed body: the signature of a GET covers nothing. */
function post(url: string): { url: string; method: 'POST' } {
  return { url, method: 'POST' };
}

/** jambonz dials whatever it is given. @throws CarrierError for what is no number */
function refuseInvalid(number: string): void {
  if (!E164.test(number))
    throw new CarrierError('not_dialled', 'invalid_number', 'the carrier does not call this number');
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
