import type { CallMarkup } from './call-markup.js';
import type { Carrier, CarrierReport } from './carrier.js';
import type { Verdict } from './verdict.js';

/** Kinds of carrier requests, as in their addresses. */
export const CARRIER_REQUEST_KINDS = [
  /** An inbound call. */
  'incoming',
  /** An outbound call was answered and needs instructions. */
  'answer',
  'status',
  /** The carrier's answering-machine detection. */
  'machine',
  'stream-status',
  /** Our socket is closed while the call goes on. */
  'stream-ended',
  /** Requests the number of a transfer (see `transfer-address.ts`). */
  'transfer',
  /** A recording of the carrier's own: taken note of, and not used. */
  'recording',
] as const;
export type CarrierRequestKind = (typeof CARRIER_REQUEST_KINDS)[number];

/** A carrier's request, with all that its signature covers. */
export interface CarrierHttpRequest {
  method: 'GET' | 'POST';
  /**
   * The address as the carrier knows it: the configured public address, the path and the raw query; never from
   * headers.
   */
  url: string;
  /** By lower-case name; repeated ones are joined with ", ". */
  headers: Readonly<Record<string, string | undefined>>;
  rawBody: Buffer;
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** An inbound call that needs instructions. Numbers are E.164. */
export interface IncomingCall {
  kind: 'incoming';
  /** Null if the carrier sends none: then every request is a new call. */
  providerCallId: string | null;
  /** Null for a hidden number. */
  from: string | null;
  to: string | null;
}

/** One event of a carrier's request. */
export type CarrierEvent =
  | IncomingCall
  /** An outbound call was answered and needs instructions. */
  | { kind: 'answered'; providerCallId: string; placedAs?: string; dialRef: string | null }
  | { kind: 'report'; report: CarrierReport }
  /** Answering-machine detection. `greetingEnded`: now is the time to leave a message. */
  | {
      kind: 'machine';
      providerCallId: string;
      dialRef: string | null;
      answeredBy: 'human' | 'machine' | 'fax' | 'unknown';
      greetingEnded: boolean;
    }
  /** The carrier's price of the call in US dollars, sent after the call. */
  | { kind: 'priced'; providerCallId: string; dialRef: string | null; usd: number }
  /** Our socket is closed and the call needs further instructions. */
  | { kind: 'stream_ended'; providerCallId: string }
  /** The carrier could not open our socket, or lost it: the call would continue in silence. */
  | { kind: 'stream_failed'; providerCallId: string }
  /** A notice about our socket that needs no instructions. */
  | { kind: 'stream_told' }
  /** A call to be transferred needs the instructions for it. Numbers are E.164. */
  | { kind: 'transfer'; providerCallId: string; to: string; from: string };

/** The HTTP answer to a carrier's request. */
export interface CarrierHttpAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** Codec of a carrier's requests and answers. Pure. */
export interface CarrierCodec {
  /**
   * Decodes a request into events, in order; empty if it has none for us.
   * @param dialRef our reference, from the address
   */
  read(
    kind: CarrierRequestKind,
    request: CarrierHttpRequest,
    dialRef: string | null,
  ): readonly CarrierEvent[];
  /** Encodes call-control markup as the answer to a request. */
  write(document: CallMarkup): CarrierHttpAnswer;
  /**
   * True if the carrier follows the answer to this request; otherwise the markup has to be performed over its API.
   * Missing if it always does.
   */
  listens?(request: CarrierHttpRequest): boolean;
}

/** A call that needs instructions. */
export interface CallToDirect {
  providerCallId: string;
  /** True for an answered call, in either direction. */
  isAnswered: boolean;
}

/** Webhooks of a carrier. */
export interface CarrierWebhooks extends CarrierCodec {
  /** Verifies the signature of a request with any of the current secrets. */
  verify(request: CarrierHttpRequest): Verdict | Promise<Verdict>;
  /**
   * Carries markup out over the carrier's API, after requests whose answer the carrier ignores. Missing if `write` is
   * enough.
   * @throws CarrierError
   */
  perform?(call: CallToDirect, document: CallMarkup, signal: AbortSignal): Promise<void>;
}

/** A carrier outside this process, reached over its API, reporting over webhooks. */
export interface RemoteCarrier extends Carrier {
  readonly webhooks: CarrierWebhooks;
}
