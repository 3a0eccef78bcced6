import type { Languages } from '#language/languages/languages.js';
import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import type { Log } from '#kernel/log/log.js';
import type { CallDocument } from '#telephony/port/call-document.js';
import type { CarrierPool } from './carrier-pool.js';
import type {
  CallToDirect,
  CarrierDialect,
  CarrierHttpAnswer,
  CarrierHttpRequest,
  CarrierEvent,
  CarrierRequestKind,
  RemoteCarrier,
} from '#telephony/port/carrier-webhooks.js';
import type { StreamInstruction } from '#telephony/port/carrier.js';
import type { ArrivedCall, Reception, RemoteCarrierHost } from '#telephony/port/remote-host.js';
import { SeenRequests } from '#telephony/wire/seen-requests.js';

/** How long a carrier that takes no documents may take to do what one says. */
const PERFORM_TIMEOUT_MS = 8_000;
const TAKEN: CarrierHttpAnswer = {
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: '{"success":true}',
};
const WANT_DOCUMENT: ReadonlySet<CarrierRequestKind> = new Set([
  'incoming',
  'answer',
  'stream-ended',
  'transfer',
]);
/** Carriers wait for five seconds and more, and play an error of their own then. */
const DOCUMENT_TIMEOUT_MS = 4_500;
const HANG_UP: CallDocument = [{ kind: 'hang_up' }];

/** Whether a carrier waits to be told what to do with its call, after a request of that kind. */
export function wantsDocument(kind: CarrierRequestKind): boolean {
  return WANT_DOCUMENT.has(kind);
}

/** A request that was found to be allowed. */
export interface Delivered {
  /** The name in its address. */
  carrier: string;
  kind: CarrierRequestKind;
  /** Our reference, where the address has one. */
  dialRef: string | null;
  request: CarrierHttpRequest;
  /** What tells its message from others (see `Verdict.replayable`). */
  replayable: string | null;
}

/** Who has signed a request. */
export interface Sender {
  carrier: string;
  replayable: string | null;
}

export interface SwitchboardParts {
  carriers: CarrierPool;
  host: RemoteCarrierHost;
  clock: Clock;
  log: Log;
  /** The words of a name, configured or not. */
  dialectOf: (carrier: string) => CarrierDialect;
  publicUrl: () => string;
  /** Whether the carrier greets whoever calls in, before the agent is there. */
  greets: boolean;
  /** For what the carrier says. */
  languages: Languages;
}

/**
 * Where requests of carriers end up: reads what they say, tells it to those concerned, and says in the carrier's own
 * words what to do with the call. Whatever goes wrong, a carrier that waits for a document gets one that it can play.
 */
export class Switchboard {
  readonly #parts: SwitchboardParts;
  readonly #seen: SeenRequests<CarrierHttpAnswer>;

  constructor(parts: SwitchboardParts) {
    this.#parts = parts;
    this.#seen = new SeenRequests(parts);
  }

  /**
   * Whose signature a request carries: that of the carrier in its address, or, where the address names none, of any.
   * Null when nobody's is good.
   */
  async senderOf(request: CarrierHttpRequest, named: string | null): Promise<Sender | null> {
    const { carriers } = this.#parts;
    for (const carrier of carriers.remotes) {
      if (named !== null && carrier.name !== named) continue;
      const { genuine, replayable } = await carrier.webhooks.verify(request);
      if (genuine) return { carrier: carrier.name, replayable };
    }
    return null;
  }

  /** What is answered to a request, once what it says is durable; a copy of a message is answered as it was. */
  async take(delivered: Delivered): Promise<CarrierHttpAnswer> {
    const { carrier, kind, replayable } = delivered;
    const key = replayable === null ? null : `${carrier} ${replayable}`;
    try {
      const answer = this.#seen.once(key, () => this.#take(delivered));
      return await (this.#waitsForDocument(delivered) ? this.#withTimeout(answer) : answer);
    } catch (error) {
      this.#parts.log.error({ err: error, carrier, kind }, 'a request of a carrier could not be carried out');
      // Told again, it may be taken in; a call whose carrier waits for the answer cannot wait for that.
      if (!this.#waitsForDocument(delivered)) throw error;
      return this.apologise(carrier);
    }
  }

  /** A document that says, in the carrier's voice, that nobody can answer. */
  apologise(carrier: string): CarrierHttpAnswer {
    return this.#parts.dialectOf(carrier).write(this.#apology('en'));
  }

  #waitsForDocument({ carrier, kind, request }: Delivered): boolean {
    return wantsDocument(kind) && listens(this.#parts.dialectOf(carrier), request);
  }

  /** A document that comes too late is played to nobody. */
  #withTimeout(answer: Promise<CarrierHttpAnswer>): Promise<CarrierHttpAnswer> {
    const onTimeout = () => {
      throw new Error('the document of a call was not there in time');
    };
    return withTimeout(answer, { clock: this.#parts.clock, limitMs: DOCUMENT_TIMEOUT_MS, onTimeout });
  }

  async #take(delivered: Delivered): Promise<CarrierHttpAnswer> {
    const { carrier, kind, request, dialRef } = delivered;
    const dialect = this.#parts.dialectOf(carrier);
    let document: CallDocument | null = wantsDocument(kind) ? HANG_UP : null;
    let call: CallToDirect | null = null;
    for (const event of dialect.read(kind, request, dialRef)) {
      if (event.kind === 'stream_told') document = null;
      const wanted = await this.#act(carrier, event);
      if (wanted === null) continue;
      document = wanted;
      call = callOf(event);
    }
    if (document === null) return TAKEN;
    if (listens(dialect, request)) return dialect.write(document);
    await this.#perform(this.#parts.carriers.remote(carrier), call, document);
    return TAKEN;
  }

  /** What is to be done with the call now; null when nothing is. */
  async #act(carrier: string, event: CarrierEvent): Promise<CallDocument | null> {
    const { host } = this.#parts;
    switch (event.kind) {
      case 'incoming': {
        const { kind: _kind, ...told } = event;
        const call = { ...told, carrier };
        return this.#documentFor(await host.receive(call), call);
      }
      case 'answered': {
        const { kind: _kind, ...told } = event;
        const call = { ...told, carrier, dialRef: told.dialRef ?? '' };
        const stream = await host.answer(call);
        return stream === null ? HANG_UP : this.#stream(stream, call);
      }
      case 'report':
        await host.report(event.report);
        return null;
      case 'machine': {
        const { kind: _kind, ...found } = event;
        await host.identify({ ...found, carrier });
        return null;
      }
      case 'priced': {
        const { kind: _kind, ...price } = event;
        await host.priced({ ...price, carrier });
        return null;
      }
      case 'recording':
        await host.recorded(event.recording);
        return null;
      case 'stream_failed':
        await host.streamFailed({ carrier, providerCallId: event.providerCallId });
        return null;
      case 'stream_told':
        return null;
      case 'stream_ended': {
        const unheard = await host.streamEnded({ carrier, providerCallId: event.providerCallId });
        return unheard === null ? HANG_UP : this.#apology(unheard.language);
      }
      case 'transfer':
        return [{ kind: 'dial', to: event.to, from: event.from }, ...HANG_UP];
    }
  }

  #documentFor(reception: Reception, call: ArrivedCall): CallDocument {
    if (reception.kind === 'over') return HANG_UP;
    if (reception.kind === 'no_room') return [{ kind: 'reject', reason: 'busy' }];
    if (reception.kind === 'nobody') return this.#apology(reception.language);
    const stream = this.#stream(reception.stream, call);
    return this.#parts.greets ? [this.#says(reception.language, 'carrier_greeting'), ...stream] : stream;
  }

  /** Tells a caller that the call cannot be taken. */
  #apology(language: string): CallDocument {
    return [this.#says(language, 'carrier_apology'), ...HANG_UP];
  }

  /** A sentence in the carrier's own voice. */
  #says(tag: string, sentence: 'carrier_greeting' | 'carrier_apology'): CallDocument[number] {
    const { sentences, usualTag } = this.#parts.languages.of(tag);
    return { kind: 'say', text: sentences[sentence], language: usualTag };
  }

  #stream(
    stream: StreamInstruction,
    { carrier, providerCallId }: Pick<ArrivedCall, 'carrier' | 'providerCallId'>,
  ): CallDocument {
    const streamEndedUrl = `${this.#parts.publicUrl()}/webhook/${carrier}/stream-ended`;
    return [{ kind: 'stream', stream, streamEndedUrl, providerCallId }, ...HANG_UP];
  }

  async #perform(
    carrier: RemoteCarrier | null,
    call: CallToDirect | null,
    document: CallDocument,
  ): Promise<void> {
    const perform = carrier?.webhooks.perform?.bind(carrier.webhooks);
    if (!perform || call === null) return;
    const late = new AbortController();
    const cancel = this.#parts.clock.after(PERFORM_TIMEOUT_MS, () => late.abort());
    await perform(call, document, late.signal).finally(cancel);
  }
}

function listens(dialect: CarrierDialect, request: CarrierHttpRequest): boolean {
  return dialect.listens?.(request) ?? true;
}

/** The call that an event is about; null when the carrier names none. */
function callOf(event: CarrierEvent): CallToDirect | null {
  if (!('providerCallId' in event) || event.providerCallId === null) return null;
  return { providerCallId: event.providerCallId, isAnswered: event.kind !== 'incoming' };
}
