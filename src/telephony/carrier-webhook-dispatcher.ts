import type { Languages } from '#language/languages/languages.js';
import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import type { Log } from '#kernel/log/log.js';
import type { CallMarkup } from '#telephony/port/call-markup.js';
import type { CarrierPool } from './carrier-pool.js';
import type {
  CallToInstruct,
  CarrierCodec,
  CarrierHttpAnswer,
  CarrierHttpRequest,
  CarrierEvent,
  CarrierRequestKind,
  RemoteCarrier,
} from '#telephony/port/carrier-webhooks.js';
import type { StreamInstruction } from '#telephony/port/carrier.js';
import type { ArrivedCall, Reception, RemoteCarrierHost } from '#telephony/port/remote-host.js';
import { SeenRequests } from '#telephony/wire/seen-requests.js';

/** Timeout of carrying out call-control markup (instructions for a call) over a carrier's API. */
const PERFORM_TIMEOUT_MS = 8_000;
/** The answer without markup: the carrier expects none, or gets it over its API. */
const ACCEPTED: CarrierHttpAnswer = {
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: '{"success":true}',
};
/** The kinds of requests whose answer is markup, unless the carrier ignores it (`followsAnswer`). */
const KINDS_WITH_MARKUP: ReadonlySet<CarrierRequestKind> = new Set([
  'incoming',
  'answer',
  'stream-ended',
  'transfer',
]);
/** Timeout of an answer with markup: carriers wait at least five seconds before they play an error. */
const MARKUP_TIMEOUT_MS = 4_500;
/** Markup that ends the call. */
const HANG_UP: CallMarkup = [{ kind: 'hang_up' }];

/** True if the carrier expects markup in the answer to this kind of request. */
export function expectsMarkup(kind: CarrierRequestKind): boolean {
  return KINDS_WITH_MARKUP.has(kind);
}

/**
 * A request that was admitted as a carrier's: by its signature, by a credential, or because unsigned requests are
 * allowed.
 */
export interface AdmittedRequest {
  /** The carrier that signed the request; without a signature, the carrier in the address, or the default. */
  carrier: string;
  kind: CarrierRequestKind;
  /** The dial reference in the address; null if it has none. */
  dialRef: string | null;
  request: CarrierHttpRequest;
  /** Identifies copies of the request (see `Verdict.replayKey`); null if they cannot be recognised. */
  replayKey: string | null;
}

/** The carrier that has signed a request. */
export interface Sender {
  /** The carrier's name. */
  carrier: string;
  /** As in {@link AdmittedRequest}. */
  replayKey: string | null;
}

/** The dependencies of the {@link CarrierWebhookDispatcher}. */
export interface DispatcherContext {
  carriers: CarrierPool;
  host: RemoteCarrierHost;
  clock: Clock;
  log: Log;
  /** The codec of a carrier, configured or not. */
  codecOf: (carrier: string) => CarrierCodec;
  /** The base URL at which carriers reach the service. */
  publicUrl: () => string;
  /** True if the carrier's voice greets inbound callers before the agent. */
  greets: boolean;
  /** For the sentences that the carrier's voice says. */
  languages: Languages;
}

/**
 * Dispatches the webhooks of carriers, for the HTTP routes below `/webhook`: decodes a request into events, passes them
 * to the service ({@link RemoteCarrierHost}), and answers, with call-control markup in the carrier's format where the
 * carrier expects it. If a request fails, a carrier that waits for markup gets an apology to play.
 */
export class CarrierWebhookDispatcher {
  readonly #parts: DispatcherContext;
  readonly #seenRequests: SeenRequests<CarrierHttpAnswer>;

  constructor(parts: DispatcherContext) {
    this.#parts = parts;
    this.#seenRequests = new SeenRequests(parts);
  }

  /**
   * The carrier that has signed a request; null if no signature matches. If the address names a carrier, only that one
   * is tried; otherwise all of them are.
   */
  async senderOf(request: CarrierHttpRequest, addressedCarrier: string | null): Promise<Sender | null> {
    const { carriers } = this.#parts;
    for (const carrier of carriers.remotes) {
      if (addressedCarrier !== null && carrier.name !== addressedCarrier) continue;
      const { genuine, replayKey } = await carrier.webhooks.verify(request);
      if (genuine) return { carrier: carrier.name, replayKey };
    }
    return null;
  }

  /**
   * Answers a request after the service has handled its events. A recognised copy (`replayKey`) gets the answer of the
   * first request. After a failure or a timeout, a carrier that waits for markup gets an apology.
   * @throws Error after a failure, if the carrier does not wait for markup: it may repeat the request
   */
  async handle(admitted: AdmittedRequest): Promise<CarrierHttpAnswer> {
    const { carrier, kind, replayKey } = admitted;
    const key = replayKey === null ? null : `${carrier} ${replayKey}`;
    try {
      const answer = this.#seenRequests.once(key, () => this.#process(admitted));
      return await (this.#waitsForMarkup(admitted) ? this.#withTimeout(answer) : answer);
    } catch (error) {
      this.#parts.log.error({ err: error, carrier, kind }, 'a request of a carrier failed');
      // A repeated notice may succeed; a call that waits for markup cannot wait for a repetition.
      if (!this.#waitsForMarkup(admitted)) throw error;
      return this.apologise(carrier);
    }
  }

  /** An answer with markup that apologises in the carrier's voice: in English, as the call's language is unknown. */
  apologise(carrier: string): CarrierHttpAnswer {
    return this.#parts.codecOf(carrier).write(this.#apology('en'));
  }

  /** True if the carrier follows the markup in the answer to this request. */
  #waitsForMarkup({ carrier, kind, request }: AdmittedRequest): boolean {
    return expectsMarkup(kind) && followsAnswer(this.#parts.codecOf(carrier), request);
  }

  /** Fails an answer that takes too long: late markup would never be played. */
  #withTimeout(answer: Promise<CarrierHttpAnswer>): Promise<CarrierHttpAnswer> {
    const onTimeout = () => {
      throw new Error('the document of a call was not there in time');
    };
    return withTimeout(answer, { clock: this.#parts.clock, limitMs: MARKUP_TIMEOUT_MS, onTimeout });
  }

  /** Passes the events of a request to the service; the markup of the last event that has any is the answer. */
  async #process(admitted: AdmittedRequest): Promise<CarrierHttpAnswer> {
    const { carrier, kind, request, dialRef } = admitted;
    const codec = this.#parts.codecOf(carrier);
    // If the carrier expects markup and no event results in any, the call ends.
    let markup: CallMarkup | null = expectsMarkup(kind) ? HANG_UP : null;
    let call: CallToInstruct | null = null;
    for (const event of codec.read(kind, request, dialRef)) {
      // Vonage sends these notices to the address of ended streams, where it expects markup. The answer must have none:
      // it would replace the markup of a transferred call.
      if (event.kind === 'stream_notice') markup = null;
      const eventMarkup = await this.#handleEvent(carrier, event);
      if (eventMarkup === null) continue;
      markup = eventMarkup;
      call = callOf(event);
    }
    if (markup === null) return ACCEPTED;
    if (followsAnswer(codec, request)) return codec.write(markup);
    await this.#perform(this.#parts.carriers.remote(carrier), call, markup);
    return ACCEPTED;
  }

  /** Passes an event to the service; returns the markup for the call, or null if the event needs none. */
  async #handleEvent(carrier: string, event: CarrierEvent): Promise<CallMarkup | null> {
    const { host } = this.#parts;
    switch (event.kind) {
      case 'incoming': {
        const { kind: _kind, ...incoming } = event;
        const call = { ...incoming, carrier };
        return this.#markupFor(await host.receive(call), call);
      }
      case 'answered': {
        const { kind: _kind, ...answered } = event;
        // No call has an empty reference: without a reference the call is found by the carrier's id alone.
        const call = { ...answered, carrier, dialRef: answered.dialRef ?? '' };
        const stream = await host.answer(call);
        return stream === null ? HANG_UP : this.#stream(stream, call);
      }
      case 'report':
        await host.report(event.report);
        return null;
      case 'machine': {
        const { kind: _kind, ...detection } = event;
        await host.acceptDetection({ ...detection, carrier });
        return null;
      }
      case 'priced': {
        const { kind: _kind, ...price } = event;
        await host.acceptPrice({ ...price, carrier });
        return null;
      }
      case 'stream_failed':
        await host.streamFailed({ carrier, providerCallId: event.providerCallId });
        return null;
      case 'stream_notice':
        return null;
      case 'stream_ended': {
        // Not null only if the stream never opened: the caller has heard nothing yet.
        const neverOpened = await host.streamEnded({ carrier, providerCallId: event.providerCallId });
        return neverOpened === null ? HANG_UP : this.#apology(neverOpened.language);
      }
      case 'transfer':
        return [{ kind: 'dial', to: event.to, from: event.from }, ...HANG_UP];
    }
  }

  /** The markup for an inbound call: `no_room` is refused as busy, `nobody` apologises, `over` ends the call. */
  #markupFor(reception: Reception, call: ArrivedCall): CallMarkup {
    if (reception.kind === 'over') return HANG_UP;
    if (reception.kind === 'no_room') return [{ kind: 'reject', reason: 'busy' }];
    if (reception.kind === 'nobody') return this.#apology(reception.language);
    const stream = this.#stream(reception.stream, call);
    return this.#parts.greets ? [this.#sentence(reception.language, 'carrier_greeting'), ...stream] : stream;
  }

  /** Markup that tells a caller that the call cannot be answered. */
  #apology(language: string): CallMarkup {
    return [this.#sentence(language, 'carrier_apology'), ...HANG_UP];
  }

  /** A step that says a sentence in the carrier's own voice. */
  #sentence(tag: string, sentence: 'carrier_greeting' | 'carrier_apology'): CallMarkup[number] {
    const { sentences, usualTag } = this.#parts.languages.forTag(tag);
    return { kind: 'say', text: sentences[sentence], language: usualTag };
  }

  /** Markup that streams the call's audio to the service, and ends the call afterwards. */
  #stream(
    stream: StreamInstruction,
    { carrier, providerCallId }: Pick<ArrivedCall, 'carrier' | 'providerCallId'>,
  ): CallMarkup {
    const streamEndedUrl = `${this.#parts.publicUrl()}/webhook/${carrier}/stream-ended`;
    return [{ kind: 'stream', stream, streamEndedUrl, providerCallId }, ...HANG_UP];
  }

  /**
   * Carries markup out over the carrier's API, for a carrier that ignores the answer to its request. No effect if the
   * carrier has no API for this (or is not configured), or the call is unknown.
   */
  async #perform(
    carrier: RemoteCarrier | null,
    call: CallToInstruct | null,
    markup: CallMarkup,
  ): Promise<void> {
    const perform = carrier?.webhooks.perform?.bind(carrier.webhooks);
    if (!perform || call === null) return;
    const timeout = new AbortController();
    const cancel = this.#parts.clock.after(PERFORM_TIMEOUT_MS, () => timeout.abort());
    await perform(call, markup, timeout.signal).finally(cancel);
  }
}

/** True if the carrier follows the markup in the answer to a request. */
function followsAnswer(codec: CarrierCodec, request: CarrierHttpRequest): boolean {
  return codec.followsAnswer?.(request) ?? true;
}

/**
 * The call of an event that results in markup; null if the event has no id of the carrier. Among the events with
 * markup, only `incoming` is about an unanswered call.
 */
function callOf(event: CarrierEvent): CallToInstruct | null {
  if (!('providerCallId' in event) || event.providerCallId === null) return null;
  return { providerCallId: event.providerCallId, isAnswered: event.kind !== 'incoming' };
}
