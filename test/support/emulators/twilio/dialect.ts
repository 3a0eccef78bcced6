import { createPrivateKey, randomBytes, randomUUID, sign } from 'node:crypto';
import type { ApiError } from './api-errors.js';
import type { CallRecord } from './call-record.js';
import { signatureOf } from './signature.js';
import { readTexmlOrder, texmlError } from './texml.js';

/** What a signature covers. */
export interface SignedRequest {
  signingKey: string;
  url: string;
  form: URLSearchParams;
  /** The raw body; empty for a GET. */
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Who ended a call: one of its sides, or the service by a command or document. */
export type EndedBy = 'caller' | 'callee' | 'service';

/** The differences between Twilio-compatible carriers. */
export interface Dialect {
  name: 'twilio' | 'signalwire' | 'telnyx';
  apiPrefix: string;
  /** True if paths may omit `.json`. */
  isSuffixOptional: boolean;
  createdStatus: 200 | 201;
  /** The required `authorization` header. */
  authorization(accountSid: string, authToken: string): string;
  /** Parses a place request. @throws ApiError */
  readOrder(body: unknown): URLSearchParams;
  /** The answer to a place request. */
  created(record: CallRecord): object;
  errorBody(error: ApiError): object;
  callSid(): string;
  /** Signature headers of a request. */
  signed(request: SignedRequest): Record<string, string>;
  /** The name of the field with the SIP response. */
  sipField: 'SipResponseCode' | 'SipResultCode' | 'SipHangupCause';
  /** Fields that say who hung up. */
  hungUp(by: EndedBy, isInbound: boolean): Record<string, string>;
  /** Fields that redirect a live call. */
  redirections: readonly string[];
  /** Attributes that a stream must have to get the right audio. */
  streamAttributes: Readonly<Record<string, string>>;
  /** True if every stream message has the stream id at the top level; otherwise only `start` has it, inside. */
  namesStreamEverywhere: boolean;
  streamVersion: string;
  /** True if the WebSocket handshake is signed like a webhook. */
  signsUpgrade: boolean;
}

const TWILIO_API = {
  authorization: (accountSid: string, authToken: string) =>
    `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
  readOrder: (body: unknown) => (body instanceof URLSearchParams ? body : new URLSearchParams()),
  created: (record: CallRecord) => record.resource(),
  errorBody: (error: ApiError) => error.body(),
};

const TWILIO: Dialect = {
  ...TWILIO_API,
  name: 'twilio',
  apiPrefix: '/2010-04-01',
  isSuffixOptional: false,
  createdStatus: 201,
  callSid: () => `CA${randomBytes(16).toString('hex')}`,
  signed: ({ signingKey, url, form }) => ({ 'x-twilio-signature': signatureOf(signingKey, url, form) }),
  sipField: 'SipResponseCode',
  hungUp: () => ({}),
  redirections: ['Url', 'Twiml'],
  streamAttributes: {},
  namesStreamEverywhere: true,
  streamVersion: '1.0.0',
  signsUpgrade: true,
};

const SIGNALWIRE: Dialect = {
  ...TWILIO_API,
  name: 'signalwire',
  apiPrefix: '/api/laml/2010-04-01',
  isSuffixOptional: true,
  createdStatus: 200,
  callSid: () => randomUUID(),
  signed: ({ signingKey, url, form }) => ({ 'x-signalwire-signature': signatureOf(signingKey, url, form) }),
  sipField: 'SipResultCode',
  hungUp: (by) => ({ HangupBy: by === 'service' ? 'api' : by }),
  // Unlike a new call, a live one accepts no document.
  redirections: ['Url'],
  streamAttributes: {},
  namesStreamEverywhere: false,
  streamVersion: '0.2.0',
  signsUpgrade: false,
};

/** TeXML of Telnyx; its signing key is an Ed25519 key as PEM. */
const TELNYX: Dialect = {
  name: 'telnyx',
  authorization: (_accountSid, authToken) => `Bearer ${authToken}`,
  readOrder: readTexmlOrder,
  created: ({ sid, from, to, status }) => ({ call_sid: sid, from, to, status }),
  errorBody: texmlError,
  apiPrefix: '/v2/texml',
  isSuffixOptional: true,
  createdStatus: 200,
  callSid: () => `v3:${randomBytes(24).toString('base64url')}`,
  signed({ signingKey, body, at }) {
    const timestamp = String(Math.floor(at / 1000));
    const message = Buffer.from(`${timestamp}|${body}`);
    const signature = sign(null, message, createPrivateKey(signingKey)).toString('base64');
    return { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature };
  },
  sipField: 'SipHangupCause',
  hungUp: (by, isInbound) => ({
    HangupSource: by === 'service' ? (isInbound ? 'callee' : 'caller') : by,
  }),
  redirections: ['Url', 'Texml'],
  streamAttributes: { codec: 'PCMU', bidirectionalMode: 'rtp', bidirectionalCodec: 'PCMU' },
  namesStreamEverywhere: true,
  streamVersion: '1.0.0',
  signsUpgrade: false,
};

export const DIALECTS = { twilio: TWILIO, signalwire: SIGNALWIRE, telnyx: TELNYX } as const;
