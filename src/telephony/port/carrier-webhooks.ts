import type { CallDocument } from './call-document.js';
import type { CarrierRecording } from './carrier-recording.js';
import type { Carrier, CarrierReport } from './carrier.js';
import type { Verdict } from './verdict.js';

/** What a request of a carrier is about, by the address that we gave it. */
export const CARRIER_REQUEST_KINDS = [
  /** A call comes in. */
  'incoming',
  /** Somebody has picked up a call of ours: what shall be done with it? */
  'answer',
  'status',
  /** Whether a person or a machine has picked up. */
  'machine',
  'stream-status',
  /** Our socket is closed, and the call is still there. */
  'stream-ended',
  /** With whom shall a call be connected that is handed over (see `transfer-address.ts`)? */
  'transfer',
  'recording',
] as const;
export type CarrierRequestKind = (typeof CARRIER_REQUEST_KINDS)[number];

/** A request as a carrier sent it: what its signature covers, and what it says. */
export interface CarrierHttpRequest {
  method: 'GET' | 'POST';
  /** As the carrier was told it: our configured public address, the path and the raw query; never from its headers. */
  url: string;
  /** By lower-case name; repeated ones joined with ", ". */
  headers: Readonly<Record<string, string | undefined>>;
  rawBody: Buffer;
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** A call comes in, and wants a document. Numbers are E.164. */
export interface IncomingCall {
  kind: 'incoming';
  /** Null when the carrier names none: then every request is a call of its own. */
  providerCallId: string | null;
  /** Null for callers that hide their number. */
  from: string | null;
  to: string | null;
}

/** One thing that a request of a carrier says. */
export type CarrierEvent =
  | IncomingCall
  /** A call of ours was picked up, and wants a document. */
  | { kind: 'answered'; providerCallId: string; placedAs?: string; dialRef: string | null }
  | { kind: 'report'; report: CarrierReport }
  /** Who has picked up. `greeting_ended`: it is the moment to leave a message. */
  | {
      kind: 'machine';
      providerCallId: string;
      dialRef: string | null;
      answeredBy: 'human' | 'machine' | 'fax' | 'unknown';
      greetingEnded: boolean;
    }
  /** What the carrier charges for the call, in US dollars; told when it is over. */
  | { kind: 'priced'; providerCallId: string; dialRef: string | null; usd: number }
  /** The carrier has recorded the call itself, or was to: that changes nothing but what is known of it. */
  | { kind: 'recording'; recording: CarrierRecording }
  /** Our socket is closed, and the call wants to know how it goes on. */
  | { kind: 'stream_ended'; providerCallId: string }
  /** The carrier could not open our socket, or has lost it, and the call would go on in silence. */
  | { kind: 'stream_failed'; providerCallId: string }
  /** Something about our socket, and the call goes on as it was told before: no document is waited for. */
  | { kind: 'stream_told' }
  /** A call that we hand over wants the document that does it. Numbers are E.164. */
  | { kind: 'transfer'; providerCallId: string; to: string; from: string };

/** What is answered to a request of a carrier. */
export interface CarrierHttpAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** How a carrier words its requests, and what it wants to be told. Pure: the same request says the same thing. */
export interface CarrierDialect {
  /**
   * What a request says, in order; empty when it is nothing to us.
   * @param dialRef our reference, from the address
   */
  read(
    kind: CarrierRequestKind,
    request: CarrierHttpRequest,
    dialRef: string | null,
  ): readonly CarrierEvent[];
  /** A document in the carrier's words, as the answer to its request. */
  write(document: CallDocument): CarrierHttpAnswer;
  /**
   * Whether the carrier takes what it is to do from the answer to this request; where it does not, that has to be
   * performed. Missing where it always does.
   */
  listens?(request: CarrierHttpRequest): boolean;
}

/** A call that a carrier wants a document for. */
export interface CallToDirect {
  providerCallId: string;
  /** Whether somebody has answered it: we one that came in, or somebody one of ours. */
  isAnswered: boolean;
}

/** A carrier's own requests to us. */
export interface CarrierWebhooks extends CarrierDialect {
  /** Whether the carrier has sent it, with any of the secrets that are good now, and how to know a copy of it. */
  verify(request: CarrierHttpRequest): Verdict | Promise<Verdict>;
  /**
   * Does what a document says through the carrier's API, after requests whose answer is not listened to; their sender
   * is told with an error that it has to ask again. Missing where `write` is enough.
   * @throws CarrierError
   */
  perform?(call: CallToDirect, document: CallDocument, signal: AbortSignal): Promise<void>;
}

/** A carrier outside of this process: it is asked over its API, and tells over webhooks. */
export interface RemoteCarrier extends Carrier {
  readonly webhooks: CarrierWebhooks;
}
