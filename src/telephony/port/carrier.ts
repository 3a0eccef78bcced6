/** What a carrier says about a call, in its own order of progress. `ringing`: it has the call, and is at it. */
export type CarrierStatus =
  | 'ringing'
  | 'answered'
  | 'completed'
  | 'busy'
  | 'no_answer'
  /** It rang for as long as it was allowed to; many carriers call that `no_answer` too. */
  | 'timeout'
  | 'rejected'
  | 'invalid_number'
  | 'failed'
  | 'cancelled';

/** A status report. It may come late, twice, out of order, or before the answer to our own request. */
export interface CarrierReport {
  carrier: string;
  /** The reference that we gave when placing the call; null when the carrier does not return it. */
  dialRef: string | null;
  providerCallId: string;
  /** What the carrier had called it in its answer to our request, where that was another id. */
  placedAs?: string;
  status: CarrierStatus;
  /** The carrier's own code or cause, kept as given. */
  code: string | null;
  /** Which side hung up, where the carrier says so. */
  hungUpBy: 'customer' | 'agent' | null;
  /** Epoch milliseconds, by the carrier's clock where it tells. */
  at: number;
}

/** One attempt to make a phone ring. Numbers are E.164. */
export interface PlaceRequest {
  /** Our own reference, unique per attempt: idempotency key where there is one, and returned in every report. */
  dialRef: string;
  to: string;
  from: string;
  /** How long it may ring. */
  ringTimeoutSeconds: number;
  /**
   * From this instant on (epoch milliseconds) it must not be sent any more: the right to dial it is about to pass to
   * somebody else. An adapter looks right before it sends, and throws `not_dialled`, `late`.
   */
  sendBefore: number;
}

/** Where an answered call sends its audio: the socket to open, and what to hand over in its start message. */
export interface StreamInstruction {
  url: string;
  parameters: Readonly<Record<string, string>>;
}

/** A call that is to go on between its other end and somebody else. */
export interface TransferRequest {
  providerCallId: string;
  /** Whom to connect it with, E.164. */
  to: string;
  /** As whom they are called. */
  from: string;
}

/** A request that failed, and what is known of the phone at the other end. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError';
  /** `not_dialled`: certainly nothing rang. `unknown`: it may have; only a look-up can tell. */
  readonly outcome: 'not_dialled' | 'unknown';
  readonly reason:
    'invalid_number' | 'rate_limited' | 'refused' | 'unreachable' | 'late' | 'timeout' | 'server_error';
  readonly code: string | null;
  /** How long the carrier wants to be left alone; null when it does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    outcome: CarrierError['outcome'],
    reason: CarrierError['reason'],
    message: string,
    code: string | null = null,
    retryAfterMs: number | null = null,
  ) {
    super(message);
    this.outcome = outcome;
    this.reason = reason;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What a look-up found. */
export type LookUp = { found: false } | { found: true; providerCallId: string; status: CarrierStatus };

/**
 * How a call stands of which a look-up says what nobody knows: it is there, so that whoever minds it hangs it up. Taken
 * for an end, it would ring on, and another phone with it.
 */
export const UNKNOWN_STATUS: CarrierStatus = 'ringing';

/** What may be relied on when a carrier is asked again. */
export interface CarrierTraits {
  /** `exact`: finds a call by our own reference. Anything less never justifies dialling again. */
  lookUp: 'exact' | 'best_effort' | 'none';
  /** A repeated request with the same reference does not dial twice, however much later within the dialling grace. */
  idempotentPlace: boolean;
  callsPerSecond: number;
  /**
   * Whether its calls can be joined with others: their sound comes to us and goes from us both ways, so that we pass it
   * on. A carrier without that makes no warm transfers.
   */
  joinsLegs: boolean;
}

/** Telephony: a telephone network that we can place calls on (port). All adapters pass `test/contracts/carrier`. */
export interface Carrier {
  readonly name: string;
  readonly traits: CarrierTraits;
  /**
   * Asks for a call. Resolves when the network has taken it; throws a {@link CarrierError} otherwise. Where reports
   * will know the call by another id (`placedAs`), either is good for whatever is asked of the call in this process.
   */
  place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }>;
  /** Ends a call; ending an ended or unknown one is harmless. */
  hangUp(providerCallId: string): Promise<void>;
  /**
   * Hands an answered call over (a cold transfer): our stream of it ends, and its other end is connected with `to`.
   * Resolves when the network has taken that over; its reports go on until the call is over. Missing where the carrier
   * cannot do it.
   * @throws CarrierError when the call goes on with us as before
   */
  transfer?(request: TransferRequest, signal: AbortSignal): Promise<void>;
  /** What became of a call: by our reference as far as `traits.lookUp` goes, or by the carrier's id, where known. */
  lookUp(dialRef: string, providerCallId: string | null): Promise<LookUp>;
  /**
   * Presses keys (0-9, A-D, *, #, `w` for half a second) on an answered call. Missing where the carrier cannot: then we
   * put their tones into the sound of the call.
   */
  sendDigits?(providerCallId: string, digits: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What a carrier needs from us: somebody who takes in its reports, and what to do with an answered call. */
export interface CarrierHost {
  /** Takes a report in; resolves when it is durable. */
  report(report: CarrierReport): Promise<void>;
  /** The callee picked up: where shall the audio go? Null when the call is not wanted any more. */
  answer(call: {
    carrier: string;
    dialRef: string;
    providerCallId: string;
    /** As in a {@link CarrierReport}. */
    placedAs?: string;
  }): Promise<StreamInstruction | null>;
}
