import type { Log } from '#kernel/log/log.js';
import {
  type CarrierPriceAnswer,
  type CarrierTraits,
  type LookUp,
  type PlaceRequest,
  type TransferRequest,
} from '#telephony/port/carrier.js';
import type { CarrierHttpRequest, CarrierWebhooks, RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import { requireCallId, textIn } from '#telephony/wire/api-refusal.js';
import { callAddresses } from '#telephony/port/call-addresses.js';
import { readDollars } from '#telephony/wire/dollars.js';
import {
  apiTraits,
  type CarrierApiContext,
  type CarrierApiOptions,
} from '#telephony/wire/carrier-definition.js';
import { DialGuard } from '#telephony/wire/dial-guard.js';
import { fieldsOf } from '#telephony/wire/form-fields.js';
import type { CarrierHttp } from '#telephony/wire/carrier-http.js';
import { idsIn, PLIVO } from './plivo-callbacks.js';
import { PlivoHttp, type PlivoAccount } from './plivo-http.js';
import { PlivoCallIds } from './plivo-call-ids.js';
import { statusOf, statusOfRecord } from './plivo-statuses.js';
import type { Verdict } from '#telephony/port/verdict.js';
import { transferAddress } from '#telephony/wire/transfer-address.js';
import { withoutPlus } from '#telephony/wire/e164.js';

/** URL, credentials and options of Plivo's API. */
export type PlivoAccess = PlivoAccount & CarrierApiOptions;

/** The dependencies of {@link PlivoApi}. */
export interface PlivoParts extends CarrierApiContext {
  log: Log;
  http: CarrierHttp;
  verify: (request: CarrierHttpRequest) => Verdict;
}

/**
 * The carrier Plivo, by its Voice API: `calls` dials, transfers and ends calls through it. The answer to a dial request
 * contains the id of the request; the call's own id, which hanging up requires, comes with the first callback.
 * Callbacks have the dial reference in their URL and both ids in their form. `PlivoCallIds` maps the ids until the
 * store has the call's id. Plivo has neither a look-up by the dial reference nor idempotent requests.
 */
export class PlivoApi implements RemoteCarrier {
  readonly name = PLIVO;
  readonly traits: CarrierTraits;
  readonly webhooks: CarrierWebhooks;
  readonly #access: PlivoAccess;
  readonly #parts: PlivoParts;
  readonly #http: PlivoHttp;
  readonly #callIds = new PlivoCallIds();
  readonly #guard: DialGuard;

  constructor(access: PlivoAccess, parts: PlivoParts) {
    this.traits = apiTraits(access);
    this.webhooks = { ...parts.codec, verify: (request) => this.#verifyAndRecordIds(request) };
    this.#access = access;
    this.#parts = parts;
    this.#guard = new DialGuard(parts.clock);
    this.#http = new PlivoHttp(access, parts.http);
  }

  /** Places a call; resolves with the id of its request, or with that of the call if a callback was faster. */
  async place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }> {
    this.#guard.requireDialable(request);
    const requestId = requireCallId(
      requestIdIn(await this.#http.post('/Call/', this.#dialRequest(request), signal)),
    );
    return { providerCallId: this.#callIds.callIdOf(requestId) };
  }

  /**
   * Ends a call. If its own id is unknown, its request is cancelled; if that is too late, the call is ended as soon as
   * a callback brings the id.
   */
  async hangUp(providerCallId: string): Promise<void> {
    const id = this.#callIds.callIdOf(providerCallId);
    if (await this.#http.end(callPath(id))) return;
    if (await this.#http.end(`/Request/${encodeURIComponent(id)}/`)) return;
    // A callback may have brought the id during these requests.
    const callId = this.#callIds.callIdOf(id);
    if (callId === id) this.#callIds.markUnwanted(id);
    else await this.#http.end(callPath(callId));
  }

  /**
   * Transfers a call: Plivo fetches the instructions for it from `aleg_url`. Invalid transfers are refused here,
   * because Plivo accepts any URL and never reports the result.
   */
  async transfer({ providerCallId, to, from }: TransferRequest, signal: AbortSignal): Promise<void> {
    const id = this.#callIds.callIdOf(providerCallId);
    this.#guard.requireTransferable({ providerCallId: id, to, from });
    const aleg_url = transferAddress(this.#parts.publicUrl(), PLIVO, { to, from });
    await this.#http.post(callPath(id), { legs: 'aleg', aleg_url, aleg_method: 'POST' }, signal);
    this.#guard.markTransferred(id);
  }

  /** Looks up a call among the live calls, the queued calls, and the records of ended calls. */
  async lookUp(_dialRef: string, providerCallId: string | null): Promise<LookUp> {
    if (providerCallId === null) return { found: false };
    const id = this.#callIds.callIdOf(providerCallId);
    for (const status of ['live', 'queued']) {
      const answer = await this.#http.find(`${callPath(id)}?status=${status}`);
      const liveStatus = statusOf({ status: textIn(answer, 'call_status') ?? '', code: null, cause: null });
      if (liveStatus !== null)
        return { found: true, providerCallId: textIn(answer, 'call_uuid') ?? id, status: liveStatus };
    }
    const record = await this.#http.find(callPath(id));
    if (record === null) return { found: false };
    const wasAnswered = textIn(record, 'answer_time') !== null;
    const status = statusOfRecord({ code: textIn(record, 'hangup_cause_code'), wasAnswered });
    return { found: true, providerCallId: id, status };
  }

  /**
   * The price is in the record of an ended call, which exists only a moment after the end (until then: `later`). The
   * last callback may have the price as well (undocumented); `readPlivoRequest` reads it.
   * Source: Plivo, "The Call object", `total_amount`.
   */
  async priceOf(providerCallId: string): Promise<CarrierPriceAnswer> {
    const record = await this.#http.find(callPath(this.#callIds.callIdOf(providerCallId)));
    return readDollars(textIn(record, 'total_amount')) ?? 'later';
  }

  /** Sends DTMF digits to the person in the call with the agent, who is on the first leg (`aleg`). */
  async sendDigits(providerCallId: string, digits: string, signal: AbortSignal): Promise<void> {
    const path = `${callPath(this.#callIds.callIdOf(providerCallId))}DTMF/`;
    await this.#http.post(path, { digits, leg: 'aleg' }, signal);
  }

  async close(): Promise<void> {
    this.#guard.close();
  }

  /**
   * Verifies a callback, and records the ids in it. If the call is no longer wanted, it is ended by its id, which was
   * unknown when the service hung up.
   */
  #verifyAndRecordIds(request: CarrierHttpRequest): Verdict {
    const verdict = this.#parts.verify(request);
    const ids = verdict.genuine ? idsIn(fieldsOf(request)) : null;
    if (ids?.requestId && ids.requestId !== ids.callId && this.#callIds.record(ids.requestId, ids.callId))
      void this.#http.end(callPath(ids.callId)).catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, 'a call that is not wanted any more was not hung up');
      });
    return verdict;
  }

  /** The form of the request that places a call. */
  #dialRequest({ dialRef, to, from, ringTimeoutSeconds }: PlaceRequest): Record<string, string | number> {
    const addressOf = callAddresses(this.#parts.publicUrl(), PLIVO, dialRef);
    const form = {
      from: withoutPlus(from),
      to: withoutPlus(to),
      answer_url: addressOf('answer'),
      answer_method: 'POST',
      ring_url: addressOf('status'),
      ring_method: 'POST',
      hangup_url: addressOf('status'),
      hangup_method: 'POST',
      ring_timeout: ringTimeoutSeconds,
    };
    if (!this.#access.detectsMachines) return form;
    return {
      ...form,
      machine_detection: 'true',
      machine_detection_url: addressOf('machine'),
      machine_detection_method: 'POST',
    };
  }
}

/** The id of a dial request in its answer. It may be a list: a request for several numbers has several ids. */
function requestIdIn(json: unknown): string | null {
  const oneOrMore: unknown = Object(json)['request_uuid'];
  const [first] = [oneOrMore].flat();
  return typeof first === 'string' && first !== '' ? first : null;
}

function callPath(id: string): string {
  return `/Call/${encodeURIComponent(id)}/`;
}
