import { z } from 'zod';
import { requireCallId } from '#telephony/wire/api-refusal.js';
import { callAddresses } from '#telephony/port/call-addresses.js';
import type { CallMarkup } from '#telephony/port/call-markup.js';
import {
  UNKNOWN_STATUS,
  type CarrierTraits,
  type LookUp,
  type PlaceRequest,
  type TransferRequest,
} from '#telephony/port/carrier.js';
import type { CarrierWebhooks, RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import {
  apiTraits,
  type CarrierApiContext,
  type CarrierApiOptions,
} from '#telephony/wire/carrier-definition.js';
import { DialGuard } from '#telephony/wire/dial-guard.js';
import { TWIML_STATUSES } from '#telephony/carriers/twilio/twiml-statuses.js';
import { requireSuccess, isCallOver, type TelnyxClient } from './telnyx-client.js';

/** The range of `Timeout` (the ring timeout) that Telnyx accepts. */
const RING_SECONDS = { least: 5, most: 120 };

/** The call id in an answer. Its place is not documented; older answers have it one level deeper, in `data`. */
const CallId = z
  .object({ call_sid: z.string().min(1) })
  .transform((answer) => answer.call_sid)
  .or(z.object({ sid: z.string().min(1) }).transform((answer) => answer.sid));
const Placed = CallId.or(z.object({ data: CallId }).transform(({ data }) => data));
/** The answer to a look-up. */
const Found = z.object({ status: z.string() });

/** The options and dependencies of {@link TexmlApi}. */
export interface TexmlParts extends CarrierApiContext, CarrierApiOptions {
  api: TelnyxClient;
  accountSid: string;
  applicationSid: string;
}

/**
 * The carrier Telnyx with TeXML, through which `calls` dials, transfers and ends calls: a REST API below `/v2/texml`,
 * and markup as answers to callbacks. It has neither a look-up by the dial reference nor idempotent requests: after a
 * lost answer the state of a call is unknown until a callback arrives, whose URL contains the reference.
 */
export class TexmlApi implements RemoteCarrier {
  readonly name = 'telnyx_texml';
  readonly traits: CarrierTraits;
  readonly webhooks: CarrierWebhooks;
  readonly #parts: TexmlParts;
  readonly #callsPath: string;
  readonly #guard: DialGuard;

  constructor(parts: TexmlParts) {
    this.#parts = parts;
    this.#guard = new DialGuard(parts.clock);
    this.#callsPath = `/texml/Accounts/${encodeURIComponent(parts.accountSid)}/Calls`;
    this.traits = apiTraits(parts);
    this.webhooks = { ...parts.codec, verify: parts.verify };
  }

  /** Places a call; resolves with its id (SID). */
  async place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }> {
    this.#guard.requireDialable(request);
    const { api } = this.#parts;
    const answer = await api.post(this.#callsPath, this.#dialRequest(request), signal);
    requireSuccess(answer);
    return { providerCallId: requireCallId(Placed.safeParse(answer.json).data) };
  }

  /** Ends a call; no error if it is over already. */
  async hangUp(providerCallId: string): Promise<void> {
    const answer = await this.#parts.api.postForm(this.#pathOf(providerCallId), { Status: 'completed' });
    if (!isCallOver(answer)) requireSuccess(answer);
  }

  /** Transfers a call. Invalid transfers are refused here: the API accepts any markup and never reports the result. */
  async transfer({ providerCallId, to, from }: TransferRequest, signal: AbortSignal): Promise<void> {
    this.#guard.requireTransferable({ providerCallId, to, from });
    const document: CallMarkup = [{ kind: 'dial', to, from }, { kind: 'hang_up' }];
    const form = { Texml: this.webhooks.write(document).body };
    requireSuccess(await this.#parts.api.postForm(this.#pathOf(providerCallId), form, signal));
    this.#guard.markTransferred(providerCallId);
  }

  /** Looks up a call by its id. If the answer to the dial request was lost, there is no id: the call is not found. */
  async lookUp(_dialRef: string, providerCallId: string | null): Promise<LookUp> {
    if (providerCallId === null) return { found: false };
    const answer = await this.#parts.api.get(this.#pathOf(providerCallId));
    if (isCallOver(answer)) return { found: false };
    requireSuccess(answer);
    const status = TWIML_STATUSES.get(Found.safeParse(answer.json).data?.status ?? '') ?? UNKNOWN_STATUS;
    return { found: true, providerCallId, status };
  }

  async close(): Promise<void> {
    this.#guard.close();
  }

  #pathOf(providerCallId: string): string {
    return `${this.#callsPath}/${encodeURIComponent(providerCallId)}`;
  }

  /** The dial request. All callbacks use POST, because the signature of a GET does not cover its query. */
  #dialRequest({ dialRef, to, from, ringTimeoutSeconds }: PlaceRequest): object {
    const { applicationSid, detectsMachines, publicUrl } = this.#parts;
    const addressOf = callAddresses(publicUrl(), this.name, dialRef);
    const { least, most } = RING_SECONDS;
    return {
      ApplicationSid: applicationSid,
      To: to,
      From: from,
      Url: addressOf('answer'),
      UrlMethod: 'POST',
      StatusCallback: addressOf('status'),
      StatusCallbackMethod: 'POST',
      // `initiated` shows that the call exists even if the answer to this request was lost; `ringing` adds nothing.
      StatusCallbackEvent: 'initiated answered completed',
      Timeout: Math.min(Math.max(ringTimeoutSeconds, least), most),
      ...(detectsMachines
        ? {
            MachineDetection: 'DetectMessageEnd',
            AsyncAmd: true,
            AsyncAmdStatusCallback: addressOf('machine'),
            AsyncAmdStatusCallbackMethod: 'POST',
          }
        : {}),
    };
  }
}
