import { sleep } from '#kernel/time/clock.js';
import { callAddresses } from '#telephony/port/call-addresses.js';
import {
  CarrierError,
  type CarrierTraits,
  type LookUp,
  type PlaceRequest,
  type TransferRequest,
} from '#telephony/port/carrier.js';
import type { CarrierWebhooks, RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import type { JambonzClient, JambonzHook } from './jambonz-client.js';
import {
  apiTraits,
  type CarrierApiContext,
  type CarrierApiOptions,
} from '#telephony/wire/carrier-definition.js';
import { DialGuard } from '#telephony/wire/dial-guard.js';
import { transferAddress } from '#telephony/wire/transfer-address.js';

/** The length of a DTMF tone. */
const TONE_MS = 100;
/** The time from one DTMF digit to the next: jambonz accepts one digit per request. */
const DIGIT_INTERVAL_MS = 150;
/** The pause for a `w` in a sequence of digits. */
const PAUSE_MS = 500;
/**
 * The longest time that a sequence of digits may take. Longer ones are refused, because the caller of `sendDigits`
 * gives up after ten seconds: only a part would be sent, which is worse than none.
 */
const MAX_DIGITS_MS = 8_000;
/** jambonz requires a voice and a recogniser for a call without an application. The agent uses neither. */
const UNUSED_SPEECH = {
  speech_synthesis_vendor: 'google',
  speech_synthesis_language: 'en-US',
  speech_synthesis_voice: 'en-US-Standard-C',
  speech_recognizer_vendor: 'google',
  speech_recognizer_language: 'en-US',
};

/** The options of {@link JambonzApi}. */
export interface JambonzOptions extends CarrierApiOptions {
  /** The application whose voice and recogniser are used; its own webhooks are then called. Null for none. */
  applicationSid: string | null;
}

/** The dependencies of {@link JambonzApi}. */
export interface JambonzParts extends CarrierApiContext {
  client: JambonzClient;
}

/**
 * The carrier jambonz, by its REST API: `calls` dials, transfers and ends calls through it. jambonz has neither a
 * look-up by the dial reference nor idempotent requests: after a lost answer the state of a call is unknown until a
 * webhook arrives, which contains the reference. Source: docs.jambonz.org, REST API (calls), and “Webhook and WebSocket
 * retries”.
 */
export class JambonzApi implements RemoteCarrier {
  readonly name = 'jambonz';
  readonly traits: CarrierTraits;
  readonly webhooks: CarrierWebhooks;
  readonly #options: JambonzOptions;
  readonly #parts: JambonzParts;
  readonly #guard: DialGuard;

  constructor(options: JambonzOptions, parts: JambonzParts) {
    this.traits = apiTraits(options);
    this.webhooks = { ...parts.codec, verify: parts.verify };
    this.#options = options;
    this.#parts = parts;
    this.#guard = new DialGuard(parts.clock);
  }

  /** Places a call; resolves with its id (SID). */
  async place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }> {
    this.#guard.requireDialable(request);
    return { providerCallId: await this.#parts.client.create(this.#dialRequest(request), signal) };
  }

  /**
   * Ends a call: an answered one by `completed`, an unanswered one by `no-answer`; jambonz refuses the wrong status.
   * After a refusal the call may have been answered, or have ended, since the look-up: a second attempt looks it up
   * again.
   */
  async hangUp(providerCallId: string): Promise<void> {
    const { client } = this.#parts;
    for (let attempt = 0; attempt < 2; attempt++) {
      const call = await client.find(providerCallId);
      if (!call.found || (call.status !== 'answered' && call.status !== 'ringing')) return;
      const call_status = call.status === 'answered' ? 'completed' : 'no-answer';
      if (await client.change(providerCallId, { call_status })) return;
    }
    throw new CarrierError('not_dialled', 'server_error', 'the carrier did not end the call');
  }

  /**
   * Transfers an answered call; jambonz fetches the markup by webhook. Invalid transfers are refused here, because
   * jambonz accepts anything.
   */
  async transfer({ providerCallId, to, from }: TransferRequest, signal: AbortSignal): Promise<void> {
    this.#guard.requireTransferable({ providerCallId, to, from });
    const { client, publicUrl } = this.#parts;
    const call = await client.find(providerCallId, signal);
    const isAnswered = call.found && call.status === 'answered';
    const call_hook = hook(transferAddress(publicUrl(), this.name, { to, from }));
    if (!isAnswered || !(await client.change(providerCallId, { call_hook }, signal)))
      throw new CarrierError('not_dialled', 'refused', 'the call cannot be handed over');
    this.#guard.markTransferred(providerCallId);
  }

  /** Looks up a call by its id. If the answer to the dial request was lost, there is no id: the call is not found. */
  async lookUp(_dialRef: string, providerCallId: string | null): Promise<LookUp> {
    if (providerCallId === null) return { found: false };
    const call = await this.#parts.client.find(providerCallId);
    return call.found ? { ...call, providerCallId } : call;
  }

  /**
   * Sends DTMF digits one by one (`w` is a pause); resolves after the last.
   * @throws CarrierError if they take too long, or if jambonz refuses a digit: the earlier digits were sent
   */
  async sendDigits(providerCallId: string, digits: string, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#parts;
    const keys = [...digits].map((key) => ({ key, lengthMs: key === 'w' ? PAUSE_MS : DIGIT_INTERVAL_MS }));
    if (keys.reduce((sum, { lengthMs }) => sum + lengthMs, 0) > MAX_DIGITS_MS)
      throw new CarrierError('not_dialled', 'refused', 'so many keys take too long');
    for (const { key, lengthMs } of keys) {
      const dtmf = { digit: key, duration: TONE_MS };
      if (key !== 'w' && !(await client.change(providerCallId, { dtmf }, signal)))
        throw new CarrierError('not_dialled', 'refused', 'the carrier did not press a key');
      await sleep(clock, lengthMs, signal);
    }
  }

  async close(): Promise<void> {
    this.#guard.close();
  }

  /** The body of the request that places a call. */
  #dialRequest({ dialRef, to, from, ringTimeoutSeconds }: PlaceRequest): object {
    const { applicationSid, detectsMachines } = this.#options;
    const addressOf = callAddresses(this.#parts.publicUrl(), this.name, dialRef);
    return {
      ...(applicationSid === null ? UNUSED_SPEECH : { application_sid: applicationSid }),
      call_hook: hook(addressOf('answer')),
      call_status_hook: hook(addressOf('status')),
      from,
      to: { type: 'phone', number: to },
      timeout: ringTimeoutSeconds,
      tag: { dial_ref: dialRef },
      ...(detectsMachines ? { amd: { actionHook: hook(addressOf('machine')).url } } : {}),
    };
  }
}

/**
 * A webhook that jambonz retries. The fragment of the URL, which is not sent, tells jambonz so: two retries (`rc`)
 * after (`rp`) a failed connection (`ct`), a missing answer (`rt`) or a server error (`5xx`).
 */
function hook(url: string): JambonzHook {
  return { url: `${url}#rc=2&rp=ct,rt,5xx`, method: 'POST' };
}
