import type { SampleRateHz } from './audio.js';

/** What a peer can say on an audio socket, whatever its protocol. */
export type StreamMessage =
  /** The stream begins: who is calling (a carrier's call id), and the parameters our markup handed over. */
  | { kind: 'start'; providerCallId: string | null; parameters: Readonly<Record<string, string>> }
  /** Sound, at the rate of the protocol. The array is only valid until the next message: copy what must last. */
  | { kind: 'audio'; samples: Int16Array }
  | { kind: 'dtmf'; digit: string }
  /** The peer has played everything that was sent before the mark of this name. */
  | { kind: 'mark'; name: string }
  | { kind: 'text'; text: string }
  | { kind: 'interrupt' }
  | { kind: 'hangup' }
  | { kind: 'ping' }
  | { kind: 'stop' };

/** One wire format of an audio socket, with the state of one connection. */
export interface StreamProtocol {
  readonly name: string;
  readonly sampleRateHz: SampleRateHz;
  /** Reads one WebSocket message. A message that is not of this protocol throws a `ProtocolError`. */
  decode(message: Buffer, isBinary: boolean): StreamMessage | null;
  /** Whether sound travels in text frames (as JSON) or in binary ones. */
  readonly audioFrames: 'text' | 'binary';
  /** One frame (20 ms) of agent audio, ready to send. The buffer is new: the socket may hold it for a while. */
  encodeAudio(samples: Int16Array): Buffer;
  /** Throws away what the peer has buffered but not yet played; null where the protocol has no such word. */
  encodeClear(): string | null;
  /** Asks the peer to say when everything sent so far has been played; null where it cannot. */
  encodeMark(name: string): string | null;
  /** A side message for clients that asked for events; null where the protocol has none. */
  encodeEvent(event: Readonly<Record<string, unknown>>): string | null;
}

/** The peer broke the protocol: the message says how, and is told to the peer as its socket is closed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
