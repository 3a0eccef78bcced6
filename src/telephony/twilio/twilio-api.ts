import type { Clock } from '../../kernel/clock.js';
import type { CallDocument } from '../call-document.js';
import {
  CarrierError,
  type CarrierStatus,
  type CarrierTraits,
  type LookUp,
  type PlaceRequest,
  type TransferRequest,
} from '../carrier.js';
import type { CarrierDialect, CarrierWebhooks, RemoteCarrier } from '../carrier-webhooks.js';
import type { ApiAnswer, HttpClient } from '../http-client.js';
import { RecentIds } from '../recent-ids.js';

/** Codes of a refusal that say that there is no such number, or none that can be called. */
const INVALID_NUMBER_CODES = new Set([21211, 21214, 21217, 21401, 13223, 13224]);
/** Codes that say that a call is over, which is what was asked for. */
const OVER_CODES = new Set([20404, 21220]);
const STATUSES: Readonly<Record<string, CarrierStatus>> = {
  queued: 'ringing',
  initiated: 'ringing',
  ringing: 'ringing',
  'in-progress': 'answered',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  failed: 'failed',
  canceled: 'cancelled',
};

/** As many calls as are surely over when they are forgotten. */
const MOST_HANDED_OVER = 10_000;
const E164 = /^\+[1-9]\d{6,14}$/;

/** Where a carrier of Twilio's kind is asked, and how. */
export interface TwilioAccess {
  carrier: string;
  /** The address below which `Calls.json` lies, without a slash at the end. */
  accountUrl: string;
  username: string;
  password: string;
  callsPerSecond: number;
  /** Whether the carrier shall find out whether a machine has picked up. */
  detectsMachines: boolean;
}

export interface TwilioParts {
  clock: Clock;
  http: HttpClient;
  publicUrl: () => string;
  dialect: CarrierDialect;
  verify: CarrierWebhooks['verify'];
}

/**
 * A carrier with Twilio's REST API (2010-04-01). It cannot be asked for a call by our own reference and knows no
 * repeated requests: a request whose answer is lost stays uncertain until a callback comes, which carries the
 * reference in its address.
 */
export class TwilioApi implements RemoteCarrier {
  readonly name: string;
  readonly traits: CarrierTraits;
  readonly webhooks: CarrierWebhooks;
  readonly #access: TwilioAccess;
  readonly #parts: TwilioParts;
  readonly #handedOver = new RecentIds(MOST_HANDED_OVER);
  #isClosed = false;

  constructor(access: TwilioAccess, parts: TwilioParts) {
    this.name = access.carrier;
    this.traits = { lookUp: 'none', idempotentPlace: false, callsPerSecond: access.callsPerSecond };
    this.webhooks = { ...parts.dialect, verify: parts.verify };
    this.#access = access;
    this.#parts = parts;
  }

  async place(asked: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }> {
    const { clock } = this.#parts;
    if (this.#isClosed) throw new CarrierError('not_dialled', 'unreachable', 'the carrier is closed');
    if (clock.wallMs() > asked.sendBefore)
      throw new CarrierError('not_dialled', 'late', 'the time to dial is over');
    const answer = await this.#post('/Calls.json', this.#callForm(asked), signal);
    refuseUnlessDone(answer);
    const providerCallId = textIn(answer.json, 'sid');
    if (providerCallId === null)
      throw new CarrierError('unknown', 'server_error', 'the carrier named no call in its answer');
    return { providerCallId };
  }

  async hangUp(providerCallId: string): Promise<void> {
    const answer = await this.#post(callPath(providerCallId), [['Status', 'completed']]);
    if (!isOver(answer)) refuseUnlessDone(answer);
  }

  /** The API takes any document, and tells nobody what becomes of it: what is certainly wrong is refused here. */
  async transfer({ providerCallId, to, from }: TransferRequest, signal: AbortSignal): Promise<void> {
    if (!E164.test(to))
      throw new CarrierError('not_dialled', 'invalid_number', 'the carrier does not call this number');
    if (this.#handedOver.has(providerCallId))
      throw new CarrierError('not_dialled', 'refused', 'the call is handed over already');
    const document: CallDocument = [{ kind: 'dial', to, from }, { kind: 'hang_up' }];
    const twiml = this.webhooks.write(document).body;
    refuseUnlessDone(await this.#post(callPath(providerCallId), [['Twiml', twiml]], signal));
    this.#handedOver.add(providerCallId);
  }

  async lookUp(_dialRef: string, providerCallId: string | null): Promise<LookUp> {
    if (providerCallId === null) return { found: false };
    const answer = await this.#send('GET', callPath(providerCallId));
    if (answer.status === 404) return { found: false };
    refuseUnlessDone(answer);
    const status = STATUSES[textIn(answer.json, 'status') ?? ''] ?? 'failed';
    return { found: true, providerCallId, status };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #callForm({ dialRef, to, from, ringTimeoutSeconds }: PlaceRequest): [string, string][] {
    const addressOf = (kind: string) => `${this.#parts.publicUrl()}/webhook/${this.name}/${kind}/${dialRef}`;
    const form: [string, string][] = [
      ['To', to],
      ['From', from],
      ['Url', addressOf('answer')],
      ['Method', 'POST'],
      ['StatusCallback', addressOf('status')],
      ['StatusCallbackMethod', 'POST'],
      ...['initiated', 'ringing', 'answered', 'completed'].map((event): [string, string] => [
        'StatusCallbackEvent',
        event,
      ]),
      ['Timeout', String(ringTimeoutSeconds)],
    ];
    if (!this.#access.detectsMachines) return form;
    return [
      ...form,
      ['MachineDetection', 'DetectMessageEnd'],
      ['AsyncAmd', 'true'],
      ['AsyncAmdStatusCallback', addressOf('machine')],
      ['AsyncAmdStatusCallbackMethod', 'POST'],
    ];
  }

  #post(path: string, form: readonly (readonly [string, string])[], signal?: AbortSignal) {
    const body = new URLSearchParams(form as [string, string][]).toString();
    return this.#send('POST', path, { body, ...(signal ? { signal } : {}) });
  }

  #send(
    method: 'GET' | 'POST',
    path: string,
    { body, signal }: { body?: string; signal?: AbortSignal } = {},
  ): Promise<ApiAnswer> {
    const { accountUrl, username, password } = this.#access;
    const headers = {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const url = `${accountUrl}${path}`;
    return this.#parts.http.send({ method, url, headers, ...(body === undefined ? {} : { body }) }, signal);
  }
}

function callPath(providerCallId: string): string {
  return `/Calls/${encodeURIComponent(providerCallId)}.json`;
}

function isOver({ status, json }: ApiAnswer): boolean {
  return status === 404 || OVER_CODES.has(Number(textIn(json, 'code')));
}

/** @throws CarrierError for any answer but a success */
function refuseUnlessDone(answer: ApiAnswer): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  const code = textIn(answer.json, 'code') ?? String(status);
  if (status === 429 || code === '20429')
    throw new CarrierError(
      'not_dialled',
      'rate_limited',
      'the carrier takes no more calls now',
      code,
      answer.retryAfterMs,
    );
  if (INVALID_NUMBER_CODES.has(Number(code)))
    throw new CarrierError('not_dialled', 'invalid_number', 'the carrier does not call this number', code);
  if (status >= 500) throw new CarrierError('unknown', 'server_error', 'the carrier failed', code);
  throw new CarrierError('not_dialled', 'refused', 'the carrier refused the request', code);
}

function textIn(json: unknown, key: string): string | null {
  if (typeof json !== 'object' || json === null) return null;
  const value = (json as Record<string, unknown>)[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
