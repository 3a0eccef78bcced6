import { randomBytes, randomUUID } from 'node:crypto';

/** In what carriers of Twilio's family differ. */
export interface Dialect {
  name: 'twilio' | 'signalwire';
  apiPrefix: string;
  /** Whether paths may go without `.json`. */
  isSuffixOptional: boolean;
  createdStatus: 200 | 201;
  callSid(): string;
  signatureHeader: string;
  /** The name of the field with the answer of the telephone network. */
  sipField: 'SipResponseCode' | 'SipResultCode';
  /** Whether it says who hung up. */
  namesHangUp: boolean;
  /** Whether every stream message names its stream, or `start` alone, inside. */
  namesStreamEverywhere: boolean;
  streamVersion: string;
  /** Whether the upgrade of a stream is signed like a webhook. */
  signsUpgrade: boolean;
}

const TWILIO: Dialect = {
  name: 'twilio',
  apiPrefix: '/2010-04-01',
  isSuffixOptional: false,
  createdStatus: 201,
  callSid: () => `CA${randomBytes(16).toString('hex')}`,
  signatureHeader: 'X-Twilio-Signature',
  sipField: 'SipResponseCode',
  namesHangUp: false,
  namesStreamEverywhere: true,
  streamVersion: '1.0.0',
  signsUpgrade: true,
};

const SIGNALWIRE: Dialect = {
  name: 'signalwire',
  apiPrefix: '/api/laml/2010-04-01',
  isSuffixOptional: true,
  createdStatus: 200,
  callSid: () => randomUUID(),
  signatureHeader: 'X-SignalWire-Signature',
  sipField: 'SipResultCode',
  namesHangUp: true,
  namesStreamEverywhere: false,
  streamVersion: '0.2.0',
  signsUpgrade: false,
};

export const DIALECTS = { twilio: TWILIO, signalwire: SIGNALWIRE } as const;
