import { requireSuccess, requireCallId, textIn, type Refusal } from '#telephony/wire/api-refusal.js';
import { callAddresses } from '#telephony/port/call-addresses.js';
import type { CallMarkup } from '#telephony/port/call-markup.js';
import {
  UNKNOWN_STATUS,
  type CarrierPriceAnswer,
  type CarrierTraits,
  type LookUp,
  type PlaceRequest,
  type TransferRequest,
} from '#telephony/port/carrier.js';
import type { CarrierWebhooks, RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import type { ApiAnswer, CarrierHttp } from '#telephony/wire/carrier-http.js';
import {
  apiTraits,
  type CarrierApiContext,
  type CarrierApiOptions,
} from '#telephony/wire/carrier-definition.js';
import { DialGuard } from '#telephony/wire/dial-guard.js';
import { readDollars } from '#telephony/wire/dollars.js';
import { transferAddress } from '#telephony/wire/transfer-address.js';
import { TWIML_STATUSES } from './twiml-statuses.js';

/** Error codes of a number that does not exist or cannot be called. */
const INVALID_NUMBER_CODES = new Set([21211, 21214, 21217, 21401, 13223, 13224]);
/** Error codes of too many requests, or too many concurrent calls. */
const RATE_LIMIT_CODES = new Set([20429, 10004]);
/** Error codes of a request about a call that is unknown or has ended already. */
const ENDED_CALL_CODES = new Set([20404, 21220]);

/** URL, credentials and options of a carrier with Twilio's API. */
export interface TwilioAccess extends CarrierApiOptions {
  /** The name of the carrier. */
  carrier: string;
  /** The parent URL of `Calls.json`, without a trailing slash. */
  accountUrl: string;
  username: string;
  password: string;
  /** True if a transfer needs a URL because the API accepts no markup. */
  fetchesTransfers: boolean;
}

/** The dependencies of {@link TwilioApi}. */
export interface TwilioParts extends CarrierApiContext {
  http: CarrierHttp;
}

/**
 * A carrier with Twilio's REST API (2010-04-01): Twilio, SignalWire, and the carrier `generic`. `calls` dials,
 * transfers and ends calls through it. It has neither a look-up by the dial reference nor idempotent requests: after a
 * lost answer the state of a call is unknown until a callback arrives, whose URL contains the reference.
 */
export class TwilioApi implements RemoteCarrier {
  readonly name: string;
  readonly traits: CarrierTraits;
  readonly webhooks: CarrierWebhooks;
  readonly #access: TwilioAccess;
  readonly #parts: TwilioParts;
  readonly #guard: DialGuard;

  constructor(access: TwilioAccess, parts: TwilioParts) {
    this.name = access.carrier;
    this.traits = apiTraits(access);
    this.webhooks = { ...parts.codec, verify: parts.verify };
    this.#access = access;
    this.#parts = parts;
    this.#guard = new DialGuard(parts.clock);
  }

  /** Places a call; resolves with its id (SID). */
  async place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }> {
    this.#guard.requireDialable(request);
    const answer = await this.#post('/Calls.json', this.#callForm(request), signal);
    requireSuccess(answer, readRefusal);
    return { providerCallId: requireCallId(textIn(answer.json, 'sid')) };
  }

  /** Ends a call; no error if it is over already. */
  async hangUp(providerCallId: string): Promise<void> {
    const answer = await this.#post(callPath(providerCallId), [['Status', 'completed']]);
    if (!isCallOver(answer)) requireSuccess(answer, readRefusal);
  }

  /** Transfers a call. Invalid transfers are refused here: the API accepts any markup and never reports the result. */
  async transfer(request: TransferRequest, signal: AbortSignal): Promise<void> {
    const { providerCallId } = request;
    this.#guard.requireTransferable(request);
    requireSuccess(
      await this.#post(callPath(providerCallId), this.#transferForm(request), signal),
      readRefusal,
    );
    this.#guard.markTransferred(providerCallId);
  }

  /** Looks up a call by its id. If the answer to the dial request was lost, there is no id: the call is not found. */
  async lookUp(_dialRef: string, providerCallId: string | null): Promise<LookUp> {
    if (providerCallId === null) return { found: false };
    const answer = await this.#send('GET', callPath(providerCallId));
    if (answer.status === 404) return { found: false };
    requireSuccess(answer, readRefusal);
    const status = TWIML_STATUSES.get(textIn(answer.json, 'status') ?? '') ?? UNKNOWN_STATUS;
    return { found: true, providerCallId, status };
  }

  /**
   * The price of an ended call. The field `price` is null for minutes after the end, then a decimal number in the
   * currency of the account, negative because it is charged. An unknown call, another currency than US dollars, and a
   * server without this field result in `never`. A missing currency counts as US dollars.
   * Source: Twilio, "Call resource", `price` and `price_unit`.
   */
  async priceOf(providerCallId: string): Promise<CarrierPriceAnswer> {
    const answer = await this.#send('GET', callPath(providerCallId));
    if (answer.status === 404) return 'never';
    requireSuccess(answer, readRefusal);
    const hasPrice = Object.hasOwn(Object(answer.json), 'price');
    const isDollars = (textIn(answer.json, 'price_unit') ?? 'USD').toUpperCase() === 'USD';
    if (!hasPrice || !isDollars) return 'never';
    return readDollars(textIn(answer.json, 'price')) ?? 'later';
  }

  async close(): Promise<void> {
    this.#guard.close();
  }

  /** The form of a dial request. */
  #callForm({ dialRef, to, from, ringTimeoutSeconds }: PlaceRequest): [string, string][] {
    const addressOf = callAddresses(this.#parts.publicUrl(), this.name, dialRef);
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

  /** The form of a transfer: markup, or a webhook address at which the carrier fetches it. */
  #transferForm({ to, from }: TransferRequest): [string, string][] {
    if (this.#access.fetchesTransfers) {
      const url = transferAddress(this.#parts.publicUrl(), this.name, { to, from });
      return [
        ['Url', url],
        ['Method', 'POST'],
      ];
    }
    const document: CallMarkup = [{ kind: 'dial', to, from }, { kind: 'hang_up' }];
    return [['Twiml', this.webhooks.write(document).body]];
  }

  #post(path: string, form: readonly (readonly [string, string])[], signal?: AbortSignal) {
    const body = new URLSearchParams(form as [string, string][]).toString();
    return this.#send('POST', path, { body, ...(signal ? { signal } : {}) });
  }

  /** Sends a request with the account's credentials; resolves with any answer. */
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

/** True if the answer to a request about a call says that the call does not exist or is over. */
function isCallOver({ status, json }: ApiAnswer): boolean {
  return status === 404 || ENDED_CALL_CODES.has(Number(textIn(json, 'code')));
}

/** The explanation of a refusal: its code, and its cause, if that is the number or too many requests (`pace`). */
function readRefusal({ json }: ApiAnswer): Refusal {
  const code = textIn(json, 'code');
  if (RATE_LIMIT_CODES.has(Number(code))) return { code, cause: 'pace' };
  return INVALID_NUMBER_CODES.has(Number(code)) ? { code, cause: 'number' } : { code };
}
