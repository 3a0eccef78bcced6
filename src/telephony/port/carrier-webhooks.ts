/**
 * The webhooks of carriers outside this process: the requests that they send, the events in them, and the port that
 * each carrier implements to decode, verify and answer them ({@link CarrierWebhooks}).
 */
import type { CallMarkup } from './call-markup.js';
import type { Carrier, CarrierReport } from './carrier.js';
import type { Verdict } from './verdict.js';

/** The kinds of carrier requests, as in their addresses: `/webhook/<carrier>/<kind>`. */
export const CARRIER_REQUEST_KINDS = [
  /** An inbound call. */
  'incoming',
  /** An outbound call was answered and needs instructions. */
  'answer',
  /** The status of a call has changed. */
  'status',
  /** A result of the carrier's answering-machine detection. */
  'machine',
  /** A notice about the socket of a call's audio. */
  'stream-status',
  /** The socket of a call's audio is closed while the call goes on. (Vonage also sends notices here.) */
  'stream-ended',
  /** A call to be transferred needs the number to connect (see `transfer-address.ts`). */
  'transfer',
  /** A recording that the carrier made: accepted and ignored. */
  'recording',
] as const;
export type CarrierRequestKind = (typeof CARRIER_REQUEST_KINDS)[number];

/** A carrier's request, with everything that a signature may cover. */
export interface CarrierHttpRequest {
  method: 'GET' | 'POST';
  /**
   * The address as the carrier knows it: the configured public address, the path and the raw query. Headers of the
   * request do not count, because a sender could forge them.
   */
  url: string;
  /** The headers by lower-case name; repeated ones are joined with ", ". */
  headers: Readonly<Record<string, string | undefined>>;
  rawBody: Buffer;
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** An inbound call, which needs instructions. Numbers are E.164. */
export interface IncomingCall {
  kind: 'incoming';
  /** Null if the carrier sends none: then every request is a new call. */
  providerCallId: string | null;
  /** The caller's number; null if it is hidden or invalid. */
  from: string | null;
  /** The number called; null if it is missing or invalid. */
  to: string | null;
}

/** One event in a carrier's request. */
export type CarrierEvent =
  | IncomingCall
  /** An outbound call was answered and needs instructions. */
  | {
      kind: 'answered';
      providerCallId: string;
      /** The id in the answer to the dial request, if it differs. */
      placedAs?: string;
      /**
       * The service's reference of the dial attempt (`PlaceRequest.dialRef`), from the address or the body; null if
       * there is none. The same in the events below.
       */
      dialRef: string | null;
    }
  /** A status of the call. */
  | { kind: 'report'; report: CarrierReport }
  /** A result of answering-machine detection. `greetingEnded`: the agent can leave a message now. */
  | {
      kind: 'machine';
      providerCallId: string;
      dialRef: string | null;
      answeredBy: 'human' | 'machine' | 'fax' | 'unknown';
      greetingEnded: boolean;
    }
  /** The carrier's price of the call in US dollars, sent after the call. */
  | { kind: 'priced'; providerCallId: string; dialRef: string | null; usd: number }
  /** The audio socket of a call is closed and the call needs further markup. */
  | { kind: 'stream_ended'; providerCallId: string }
  /** The carrier could not open the socket of the call's audio, or lost it: the call would continue in silence. */
  | { kind: 'stream_failed'; providerCallId: string }
  /** A notice about the socket of a call's audio that needs no markup. */
  | { kind: 'stream_notice' }
  /** A call to be transferred needs the markup for it. Numbers are E.164. */
  | { kind: 'transfer'; providerCallId: string; to: string; from: string };

/** The HTTP answer to a carrier's request. */
export interface CarrierHttpAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** Decodes a carrier's requests and encodes the answers, by pure functions. */
export interface CarrierCodec {
  /**
   * Decodes a request into events, in order; empty if it has none of interest. Invalid fields are ignored.
   * @param dialRef the dial reference in the address; null if it has none
   */
  read(
    kind: CarrierRequestKind,
    request: CarrierHttpRequest,
    dialRef: string | null,
  ): readonly CarrierEvent[];
  /** Encodes call-control markup as the answer to a request. */
  write(markup: CallMarkup): CarrierHttpAnswer;
  /**
   * True if the carrier follows the markup in the answer to this request; otherwise the markup has to be carried out
   * over the carrier's API. Missing if the carrier follows every answer.
   */
  followsAnswer?(request: CarrierHttpRequest): boolean;
}

/** The call on which `perform` carries markup out over the carrier's API. */
export interface CallToInstruct {
  providerCallId: string;
  /** True for an answered call, in either direction. */
  isAnswered: boolean;
}

/** The webhooks of a carrier, as `CarrierWebhookDispatcher` uses them. */
export interface CarrierWebhooks extends CarrierCodec {
  /** Verifies the signature of a request with any of the current secrets. */
  verify(request: CarrierHttpRequest): Verdict | Promise<Verdict>;
  /**
   * Carries markup out over the carrier's API, after a request whose answer the carrier ignores. Missing if the carrier
   * follows every answer.
   * @throws CarrierError
   */
  perform?(call: CallToInstruct, markup: CallMarkup, signal: AbortSignal): Promise<void>;
}

/** A carrier outside this process, reached over its API, reporting over webhooks. */
export interface RemoteCarrier extends Carrier {
  readonly webhooks: CarrierWebhooks;
}
