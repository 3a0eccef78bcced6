/**
 * The port of telephone networks: places and ends calls, and reports on them. Implemented by the clients of carriers
 * (`carriers/`) and by the sandbox network; used by the module `calls`.
 */

/**
 * The status of a call at the carrier. `ringing`: the carrier has accepted the call, whose phone may ring only later.
 * The statuses from `completed` on are final.
 */
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

/**
 * A report of a call's status. It may be late, repeated, out of order, or earlier than the answer to the dial request.
 */
export interface CarrierReport {
  carrier: string;
  /** The reference from the {@link PlaceRequest}; null for an inbound call, or if the carrier does not return it. */
  dialRef: string | null;
  /** The carrier's id of the call. */
  providerCallId: string;
  /** The id in the carrier's answer to the dial request, if it differs. */
  placedAs?: string;
  status: CarrierStatus;
  /** The carrier's code or cause, unchanged. */
  code: string | null;
  /** The side that hung up; null if the carrier does not report it. */
  hungUpBy: 'customer' | 'agent' | null;
  /** Epoch milliseconds by the service's clock; in reports of Call Control (Telnyx), by the carrier's clock. */
  at: number;
}

/** One dial attempt. Numbers are E.164. */
export interface PlaceRequest {
  /**
   * The service's reference, unique for each attempt. It is the idempotency key of carriers that have one, and part of
   * the webhook addresses in the dial request.
   */
  dialRef: string;
  to: string;
  /** The caller id. */
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

/**
 * A failed request to a carrier. Its `outcome` decides whether the attempt may be repeated: a phone must never ring
 * twice for one attempt.
 */
export class CarrierError extends Error {
  override readonly name = 'CarrierError';
  /** `not_dialled`: certainly no phone rang. `unknown`: one may have rung; only a look-up can show it. */
  readonly outcome: 'not_dialled' | 'unknown';
  readonly reason:
    'invalid_number' | 'rate_limited' | 'refused' | 'unreachable' | 'late' | 'timeout' | 'server_error';
  /** The carrier's own code; null if it sends none. */
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

/** The result of {@link Carrier.lookUp}. */
export type LookUp = { found: false } | { found: true; providerCallId: string; status: CarrierStatus };

/**
 * The status of a call whose look-up reports a status that is unknown here. The call counts as existing, so that it is
 * hung up: if it counted as ended, its phone might still ring while the callee is dialled again.
 */
export const UNKNOWN_STATUS: CarrierStatus = 'ringing';

/** The guarantees and limits of a carrier. */
export interface CarrierTraits {
  /**
   * How a call is found by its dial reference. Only with `exact` does a call that is not found justify another attempt;
   * `best_effort` may miss calls.
   */
  lookUp: 'exact' | 'best_effort' | 'none';
  /** True if a repeated request with the same reference never dials twice, for as long as the service may repeat it. */
  idempotentPlace: boolean;
  /** The rate at which calls may be placed; `calls` keeps to it. */
  callsPerSecond: number;
  /** True if calls can be joined (warm transfer): their audio passes through this service in both directions. */
  joinsLegs: boolean;
}

/** A telephone network (port). All adapters pass `test/contracts/carrier`. */
export interface Carrier {
  readonly name: string;
  readonly traits: CarrierTraits;
  /**
   * Places a call; resolves with the carrier's id when the network has accepted it. If reports use another id
   * (`placedAs`), both ids are valid in this process.
   * @throws CarrierError if it was not accepted
   */
  place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }>;
  /** Ends a call; no effect on an ended or unknown call. @throws CarrierError if the call may go on */
  hangUp(providerCallId: string): Promise<void>;
  /**
   * Transfers an answered call (a cold transfer): its audio stream to the service ends, and the caller or callee is
   * connected with `to`. Resolves when the network has accepted the transfer; reports go on until the call is over.
   * Missing if the carrier cannot transfer.
   * @throws CarrierError if the call goes on with the agent
   */
  transfer?(request: TransferRequest, signal: AbortSignal): Promise<void>;
  /**
   * Looks up a call: by the carrier's id if it is given (`dialRef` may be empty then), else by the dial reference, as
   * far as `traits.lookUp` goes. The sandbox network only looks by the dial reference.
   * @throws CarrierError if the request fails
   */
  lookUp(dialRef: string, providerCallId: string | null): Promise<LookUp>;
  /**
   * Sends DTMF digits (0-9, A-D, *, #, `w` for half a second) into an answered call. Missing if the carrier cannot:
   * then their tones are sent in the audio.
   */
  sendDigits?(providerCallId: string, digits: string, signal: AbortSignal): Promise<void>;
  /**
   * The price of an ended call in US dollars: `later` while the carrier has not computed it, `never` if it will not be
   * known. Missing if the carrier sends prices by webhook, or has none.
   * @throws CarrierError if the request fails and may be repeated
   */
  priceOf?(providerCallId: string): Promise<CarrierPriceAnswer>;
  /** Stops the carrier's work in this process. */
  close(): Promise<void>;
}

/** The result of {@link Carrier.priceOf}: US dollars, or whether asking again later makes sense. */
export type CarrierPriceAnswer = number | 'later' | 'never';

/**
 * The functions of the service that carriers call: the sandbox directly, other carriers through
 * `CarrierWebhookDispatcher`. Implemented by `CarrierReports`.
 */
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
