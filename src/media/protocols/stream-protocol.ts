import type { SampleRateHz } from '#media/samples/audio.js';

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

/**
 * A peer that keeps what it is sent, plays it in order at its own pace with silence where there is nothing, and throws
 * it away when it is told to. Sound may be sent to it ahead of its time, and silence need not be sent at all.
 */
export interface PlayoutBuffer {
  /** How much sound one message may carry: whole frames of 20 ms. */
  readonly pieceMs: number;
}

/** One wire format of an audio socket, with the state of one connection. */
export interface StreamProtocol {
  readonly name: string;
  readonly sampleRateHz: SampleRateHz;
  /** Null where sound must come at the pace at which it is to be heard, silence included. */
  readonly playoutBuffer: PlayoutBuffer | null;
  /** Reads one WebSocket message. A message that is not of this protocol throws a `ProtocolError`. */
  decode(message: Buffer, isBinary: boolean): StreamMessage | null;
  /** Whether sound travels in text frames (as JSON) or in binary ones. */
  readonly audioFrames: 'text' | 'binary';
  /**
   * Agent audio, ready to send: a frame of 20 ms, or as many as the peer's buffer takes in one message. The bytes are
   * not changed any more: the socket may hold them for a while.
   */
  encodeAudio(samples: Int16Array): Buffer;
  /** Throws away what the peer has buffered but not yet played; null where the protocol has no such word. */
  encodeClear(): string | null;
  /** Asks the peer to say when everything sent so far has been played; null where it cannot. */
  encodeMark(name: string): string | null;
  /** A side message for clients that asked for events; null where the protocol has none. */
  encodeEvent(event: Readonly<Record<string, unknown>>): string | null;
  /** Gives back what it holds: the connection is gone, and nothing is read or written any more. */
  close?(): void;
}

/** The peer broke the protocol: the message says how, and is told to the peer as its socket is closed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
