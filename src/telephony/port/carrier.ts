/** Status of a call at the carrier, in order of progress. `ringing`: the carrier has accepted the call. */
export type CarrierStatus =
  | 'ringing'
  | 'answered'
  | 'completed'
  | 'busy'
  | 'no_answer'
  /** It rang until the ring timeout; many carriers report that as `no_answer`. */
  | 'timeout'
  | 'rejected'
  | 'invalid_number'
  | 'failed'
  | 'cancelled';

/** A status report. It may be late, repeated, out of order, or earlier than the answer to our request. */
export interface CarrierReport {
  carrier: string;
  /** The reference from the place request; null if the carrier does not return it. */
  dialRef: string | null;
  providerCallId: string;
  /** The id from the carrier's answer to the place request, if it differs. */
  placedAs?: string;
  status: CarrierStatus;
  /** The carrier's code or cause, unchanged. */
  code: string | null;
  /** The side that hung up, if the carrier reports it. */
  hungUpBy: 'customer' | 'agent' | null;
  /** Epoch milliseconds, by the carrier's clock if it sends a time. */
  at: number;
}

/** One dial attempt. Numbers are E.164. */
export interface PlaceRequest {
  /** Our reference, unique per attempt: idempotency key if the carrier has one, and returned in every report. */
  dialRef: string;
  to: string;
  from: string;
  /** Ring timeout. */
  ringTimeoutSeconds: number;
  /**
   * The request must not be sent at or after this instant (epoch milliseconds): another process may dial from then on.
   * Adapters check it right before sending and throw `not_dialled`, `late`.
   */
  sendBefore: number;
}

/** Where an answered call streams its audio: the socket's address, and the parameters of its start message. */
export interface StreamInstruction {
  url: string;
  parameters: Readonly<Record<string, string>>;
}

/** A transfer of a call to another number. */
export interface TransferRequest {
  providerCallId: string;
  /** The number to connect, E.164. */
  to: string;
  /** The caller id of the second leg. */
  from: string;
}

/** A failed request to a carrier, with what is known about the callee's phone. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError';
  /** `not_dialled`: certainly nothing rang. `unknown`: it may have rung; only a look-up can tell. */
  readonly outcome: 'not_dialled' | 'unknown';
  readonly reason:
    'invalid_number' | 'rate_limited' | 'refused' | 'unreachable' | 'late' | 'timeout' | 'server_error';
  readonly code: string | null;
  /** The carrier's requested pause; null if it sends none. */
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

/** Result of a look-up. */
export type LookUp = { found: false } | { found: true; providerCallId: string; status: CarrierStatus };

/**
 * Status for a look-up that reports an unknown one: the call counts as existing, so that it is hung up. If it counted
 * as ended, it might still ring while a second phone is dialled.
 */
export const UNKNOWN_STATUS: CarrierStatus = 'ringing';

/** Guarantees of a carrier for repeated requests. */
export interface CarrierTraits {
  /** `exact`: finds a call by our reference. Anything less never justifies dialling again. */
  lookUp: 'exact' | 'best_effort' | 'none';
  /** True if a repeated request with the same reference never dials twice within the dial grace. */
  idempotentPlace: boolean;
  callsPerSecond: number;
  /** True if calls can be joined (warm transfer): their audio passes through this service in both directions. */
  joinsLegs: boolean;
}

/** Port of telephone networks. All adapters pass `test/contracts/carrier`. */
export interface Carrier {
  readonly name: string;
  readonly traits: CarrierTraits;
  /**
   * Places a call. Resolves when the network has accepted it. If reports use another id (`placedAs`), both ids are
   * valid in this process.
   * @throws CarrierError if it was not accepted
   */
  place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }>;
  /** Ends a call; no effect on an ended or unknown one. */
  hangUp(providerCallId: string): Promise<void>;
  /**
   * Transfers an answered call (a cold transfer): its stream to us ends, and the other party is connected with `to`.
   * Resolves when the network has accepted it; reports go on until the call is over. Missing if the carrier cannot
   * transfer.
   * @throws CarrierError if the call goes on with us
   */
  transfer?(request: TransferRequest, signal: AbortSignal): Promise<void>;
  /** Looks up a call by our reference, as far as `traits.lookUp` goes, or by the carrier's id if known. */
  lookUp(dialRef: string, providerCallId: string | null): Promise<LookUp>;
  /**
   * Sends DTMF digits (0-9, A-D, *, #, `w` for half a second) into an answered call. Missing if the carrier cannot:
   * then their tones are sent in the audio.
   */
  sendDigits?(providerCallId: string, digits: string, signal: AbortSignal): Promise<void>;
  /**
   * What a call that is over has cost, in US dollars: `later` until the carrier has worked it out, `never` if it will
   * not say. Missing if the carrier reports it by itself, or not at all.
   * @throws CarrierError if it cannot be asked now
   */
  priceOf?(providerCallId: string): Promise<CarrierPriceAnswer>;
  close(): Promise<void>;
}

/** See {@link Carrier.priceOf}. */
export type CarrierPriceAnswer = number | 'later' | 'never';

/** What carriers call in the service. */
export interface CarrierHost {
  /** Accepts a report; resolves when it is stored. */
  report(report: CarrierReport): Promise<void>;
  /** An outbound call was answered: returns the stream for its audio; null if the call is no longer wanted. */
  answer(call: {
    carrier: string;
    dialRef: string;
    providerCallId: string;
    /** As in a {@link CarrierReport}. */
    placedAs?: string;
  }): Promise<StreamInstruction | null>;
}
