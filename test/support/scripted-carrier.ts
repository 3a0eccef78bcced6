import {
  CarrierError,
  type Carrier,
  type CarrierHost,
  type CarrierReport,
  type CarrierTraits,
  type LookUp,
  type PlaceRequest,
  type TransferRequest,
} from '#telephony/port/carrier.js';

type Answer = () => Promise<{ providerCallId: string }>;

/** The reactions of a network to requests passed on by a {@link ScriptedCarrier}. */
interface Network {
  /** @throws CarrierError if no phone rings */
  dial(request: PlaceRequest): void;
  hangUp(providerCallId: string): void;
  /** @throws CarrierError if the call continues unchanged */
  transfer(request: TransferRequest): void;
}

/** A carrier that follows a test's script and records its requests. Its phones ring silently unless told otherwise. */
export class ScriptedCarrier implements Carrier {
  readonly name: string;
  traits: CarrierTraits = { lookUp: 'exact', idempotentPlace: false, callsPerSecond: 100, joinsLegs: true };
  /** Every place request that made a phone ring, in order. */
  readonly placed: PlaceRequest[] = [];
  readonly hungUp: string[] = [];
  readonly lookedUp: string[] = [];
  readonly transfers: TransferRequest[] = [];
  /** The results of the next transfers; default success. */
  readonly transferAnswers: (() => Promise<void>)[] = [];
  /** The answers to the next place requests; default acceptance. */
  readonly answers: Answer[] = [];
  /** The results of look-ups; default none. */
  found: (dialRef: string) => LookUp = () => ({ found: false });
  /** Does nothing by default: the test then reports what happened. */
  network: Network = { dial() {}, hangUp() {}, transfer() {} };
  host: CarrierHost | null = null;
  #isClosed = false;

  constructor(name = 'scripted') {
    this.name = name;
  }

  /** Holds the answer to the next place request until the returned function is called. */
  delayAnswer(providerCallId: string): () => void {
    let answer = () => {};
    const taken = new Promise<{ providerCallId: string }>((resolve) => {
      answer = () => resolve({ providerCallId });
    });
    this.answers.push(() => taken);
    return answer;
  }

  async place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }> {
    if (this.#isClosed) throw new CarrierError('not_dialled', 'unreachable', 'the carrier is closed');
    if (signal.aborted) throw new CarrierError('not_dialled', 'timeout', 'the request was not sent');
    this.network.dial(request);
    this.placed.push(request);
    const answer = this.answers.shift();
    return answer ? answer() : { providerCallId: providerIdOf(request.dialRef) };
  }

  async hangUp(providerCallId: string): Promise<void> {
    this.hungUp.push(providerCallId);
    this.network.hangUp(providerCallId);
  }

  async transfer(request: TransferRequest): Promise<void> {
    this.transfers.push(request);
    this.network.transfer(request);
    await this.transferAnswers.shift()?.();
  }

  /** Set by tests of carriers that can send DTMF. */
  sendDigits?: NonNullable<Carrier['sendDigits']>;

  /** Set by tests of carriers that can be asked what a call has cost. */
  priceOf?: NonNullable<Carrier['priceOf']>;

  async lookUp(dialRef: string): Promise<LookUp> {
    this.lookedUp.push(dialRef);
    return this.found(dialRef);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  /** Reports on the last phone that rang, or the given one. */
  async report(status: CarrierReport['status'], more: Partial<CarrierReport> = {}): Promise<void> {
    const dialRef = more.dialRef ?? this.placed.at(-1)!.dialRef;
    await this.host!.report({
      carrier: this.name,
      dialRef,
      providerCallId: providerIdOf(dialRef),
      status,
      code: null,
      hungUpBy: null,
      at: 0,
      ...more,
    });
  }

  /** The last phone that rang is answered. */
  answer() {
    const { dialRef } = this.placed.at(-1)!;
    return this.host!.answer({ carrier: this.name, dialRef, providerCallId: providerIdOf(dialRef) });
  }
}

export function providerIdOf(dialRef: string): string {
  return `provider-${dialRef}`;
}
