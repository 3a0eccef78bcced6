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

/** What a network does of itself when a {@link ScriptedCarrier} has handed a request on. */
interface Network {
  /** @throws CarrierError when no phone rings */
  dial(request: PlaceRequest): void;
  hangUp(providerCallId: string): void;
  /** @throws CarrierError when the call goes on as before */
  transfer(request: TransferRequest): void;
}

/** A carrier that does as a test says, and keeps what it was asked. Its phones ring silently until told otherwise. */
export class ScriptedCarrier implements Carrier {
  readonly name: string;
  traits: CarrierTraits = { lookUp: 'exact', idempotentPlace: false, callsPerSecond: 100, joinsLegs: true };
  /** Every request to place, in order: each made a phone ring. */
  readonly placed: PlaceRequest[] = [];
  readonly hungUp: string[] = [];
  readonly lookedUp: string[] = [];
  readonly transfers: TransferRequest[] = [];
  /** What becomes of the next transfers; afterwards each is made. */
  readonly transferAnswers: (() => Promise<void>)[] = [];
  /** Answers of the next requests; afterwards each is taken. */
  readonly answers: Answer[] = [];
  /** What look-ups find; nothing unless said. */
  found: (dialRef: string) => LookUp = () => ({ found: false });
  /** Does nothing unless said: a test then reports what it wants to have happened. */
  network: Network = { dial() {}, hangUp() {}, transfer() {} };
  host: CarrierHost | null = null;
  #isClosed = false;

  constructor(name = 'scripted') {
    this.name = name;
  }

  /** The next request is taken when the answer to this is called, and not before. */
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

  /** Set by tests of carriers that can press keys. */
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

  /** Reports on the last phone that rang, or on the one named. */
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

  /** The last phone that rang is picked up. */
  answer() {
    const { dialRef } = this.placed.at(-1)!;
    return this.host!.answer({ carrier: this.name, dialRef, providerCallId: providerIdOf(dialRef) });
  }
}

export function providerIdOf(dialRef: string): string {
  return `provider-${dialRef}`;
}
