import { z } from 'zod';
import { requireCallId } from '#telephony/wire/api-refusal.js';
import { callAddresses } from '#telephony/port/call-addresses.js';
import {
  UNKNOWN_STATUS,
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
import { requireSuccess } from './vonage-errors.js';
import { VONAGE_STATUSES } from './vonage-events.js';
import { withoutPlus } from '#telephony/wire/e164.js';

/** The longest ring timeout that Vonage accepts. */
const LONGEST_RING_SECONDS = 120;
/** How long the detection waits for a machine's beep; the shortest time that Vonage accepts. */
const BEEP_TIMEOUT_SECONDS = 45;
/** HTTP statuses of a request that the state of the call does not allow, for example because the call is over. */
const WRONG_STATE_STATUSES: ReadonlySet<number> = new Set([400, 409, 410, 422]);

/** The answer to a dial request. */
const CreatedCall = z.object({ uuid: z.string().min(1).max(256) });
/** The answer to a look-up. */
const KnownCall = z.object({ status: z.string() });

/** URL and options of Vonage's API. */
export interface VonageAccess extends CarrierApiOptions {
  /** Such as `https://api.nexmo.com`. */
  apiUrl: string;
}

/** The dependencies of {@link VonageApi}. */
export interface VonageParts extends CarrierApiContext {
  http: CarrierHttp;
  /** Makes the authorisation token of the next request. */
  token: () => Promise<string>;
}

/**
 * The carrier Vonage, by its Voice API: `calls` dials, transfers and ends calls through it. It has neither a look-up by
 * the dial reference nor idempotent requests: after a lost answer the state of a call is unknown until an event
 * arrives, whose URL contains the reference. Requests above the rate limit are refused, not queued.
 */
export class VonageApi implements RemoteCarrier {
  readonly name = 'vonage';
  readonly traits: CarrierTraits;
  readonly webhooks: CarrierWebhooks;
  readonly #access: VonageAccess;
  readonly #parts: VonageParts;
  readonly #guard: DialGuard;

  constructor(access: VonageAccess, parts: VonageParts) {
    this.traits = apiTraits(access);
    this.webhooks = { ...parts.codec, verify: parts.verify };
    this.#access = access;
    this.#parts = parts;
    this.#guard = new DialGuard(parts.clock);
  }

  /** Places a call; resolves with its id (UUID). The deadline is checked after the wait for a token. */
  async place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }> {
    const json = this.#dialRequest(request);
    const answer = await this.#send('POST', '/v1/calls', { json, signal }, () =>
      this.#guard.requireDialable(request),
    );
    requireSuccess(answer);
    return { providerCallId: requireCallId(CreatedCall.safeParse(answer.json).data?.uuid) };
  }

  /** Ends a call; no error if it is over already, which a look-up shows. */
  async hangUp(providerCallId: string): Promise<void> {
    const answer = await this.#send('PUT', callPath(providerCallId), { json: { action: 'hangup' } });
    if (answer.status === 404) return;
    if (WRONG_STATE_STATUSES.has(answer.status) && (await this.#isOver(providerCallId))) return;
    requireSuccess(answer);
  }

  /**
   * Transfers a call. Invalid transfers are refused here: the API accepts any markup (NCCO), and reports no failure.
   */
  async transfer({ providerCallId, to, from }: TransferRequest, signal: AbortSignal): Promise<void> {
    this.#guard.requireTransferable({ providerCallId, to, from });
    const markup = this.webhooks.write([{ kind: 'dial', to, from }, { kind: 'hang_up' }]).body;
    // A URL without the dial reference: events of the new leg must not count as events of this call.
    const eventUrl = [`${this.#parts.publicUrl()}/webhook/vonage/stream-status`];
    const ncco = (JSON.parse(markup) as object[]).map((action) => ({ ...action, eventUrl }));
    const json = { action: 'transfer', destination: { type: 'ncco', ncco } };
    requireSuccess(await this.#send('PUT', callPath(providerCallId), { json, signal }));
    this.#guard.markTransferred(providerCallId);
  }

  /** Looks up a call by its id. If the answer to the dial request was lost, there is no id: the call is not found. */
  async lookUp(_dialRef: string, providerCallId: string | null): Promise<LookUp> {
    if (providerCallId === null) return { found: false };
    const answer = await this.#send('GET', callPath(providerCallId));
    if (answer.status === 404) return { found: false };
    requireSuccess(answer);
    const writtenStatus = KnownCall.safeParse(answer.json).data?.status ?? '';
    return { found: true, providerCallId, status: LOOKUP_STATUSES.get(writtenStatus) ?? UNKNOWN_STATUS };
  }

  /** Sends DTMF digits. Vonage writes the pause of half a second as `p`, not `w`. */
  async sendDigits(providerCallId: string, digits: string, signal: AbortSignal): Promise<void> {
    const json = { digits: digits.replaceAll(/w/gi, 'p') };
    requireSuccess(await this.#send('PUT', `${callPath(providerCallId)}/dtmf`, { json, signal }));
  }

  async close(): Promise<void> {
    this.#guard.close();
  }

  /** The body of the request that places a call. */
  #dialRequest({ dialRef, to, from, ringTimeoutSeconds }: PlaceRequest): object {
    const addressOf = callAddresses(this.#parts.publicUrl(), this.name, dialRef);
    return {
      to: [{ type: 'phone', number: withoutPlus(to) }],
      from: { type: 'phone', number: withoutPlus(from) },
      answer_url: [addressOf('answer')],
      answer_method: 'POST',
      event_url: [addressOf('status')],
      event_method: 'POST',
      ringing_timer: Math.min(ringTimeoutSeconds, LONGEST_RING_SECONDS),
      // In the other modes the call has no audio during detection.
      ...(this.#access.detectsMachines && {
        advanced_machine_detection: {
          behavior: 'continue',
          mode: 'default',
          beep_timeout: BEEP_TIMEOUT_SECONDS,
        },
      }),
    };
  }

  /** True if a look-up shows that a call has ended or does not exist. */
  async #isOver(providerCallId: string): Promise<boolean> {
    // The look-up ignores the dial reference: the carrier's id is known.
    const known = await this.lookUp('', providerCallId);
    return !known.found || (known.status !== 'ringing' && known.status !== 'answered');
  }

  /**
   * Sends a request with a new token; resolves with any answer.
   * @param beforeSend called right before sending, after the wait for a token; throws if it is too late to send
   */
  async #send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    { json, signal }: { json?: object; signal?: AbortSignal } = {},
    beforeSend = () => {},
  ): Promise<ApiAnswer> {
    const url = `${this.#access.apiUrl}${path}`;
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const headers = {
      authorization: `Bearer ${await this.#parts.token()}`,
      accept: 'application/json',
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    };
    beforeSend();
    return this.#parts.http.send({ method, url, headers, ...body }, signal);
  }
}

/** The meaning of a looked-up status. In an answered call, it may be the result of machine detection. */
const LOOKUP_STATUSES: typeof VONAGE_STATUSES = new Map([
  ...VONAGE_STATUSES,
  ['human', 'answered'],
  ['machine', 'answered'],
]);

function callPath(providerCallId: string): string {
  return `/v1/calls/${encodeURIComponent(providerCallId)}`;
}
