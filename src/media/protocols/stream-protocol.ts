import type { SampleRateHz } from '#media/samples/audio.js';

/*
 * The port to the wire formats of audio sockets. The protocols of the carriers and of plain clients implement it;
 * `AudioSocket` and `SocketLine` use it.
 */

/** The messages of a peer on an audio socket, independent of its protocol. */
export type StreamMessage =
  /** The stream begins: the carrier's call id, and the parameters from our markup. */
  | { kind: 'start'; providerCallId: string | null; parameters: Readonly<Record<string, string>> }
  /** Audio at the rate of the protocol. The array is valid until the next message: copy what must last. */
  | { kind: 'audio'; samples: Int16Array }
  /** The caller pressed a key. */
  | { kind: 'dtmf'; digit: string }
  /** Everything sent before the mark of this name has been played. */
  | { kind: 'mark'; name: string }
  /** The caller typed a turn. */
  | { kind: 'text'; text: string }
  /** The client silences the agent. */
  | { kind: 'interrupt' }
  /** The client ends the call. */
  | { kind: 'hangup' }
  /** The client asks for a sign of life. */
  | { kind: 'ping' }
  /** The carrier ends the stream. */
  | { kind: 'stop' };

/**
 * A peer that buffers audio, plays it in order at its own pace with silence where it has none, and clears its buffer
 * on command. Audio may be sent ahead of its time, and silence need not be sent.
 */
export interface PlayoutBuffer {
  /** The longest audio of one message: whole frames of 20 ms. */
  readonly pieceMs: number;
}

/** One wire format of an audio socket, with the state of one connection. */
export interface StreamProtocol {
  readonly name: string;
  readonly sampleRateHz: SampleRateHz;
  /** The peer's buffer; null if audio must be sent at the pace of speech, silence included. */
  readonly playoutBuffer: PlayoutBuffer | null;
  /**
   * Reads one WebSocket message; null if the service has no use for it.
   * @throws ProtocolError for a message that is not of this protocol
   */
  decode(message: Buffer, isBinary: boolean): StreamMessage | null;
  /** Whether audio travels in text frames (as JSON) or in binary ones. */
  readonly audioFrames: 'text' | 'binary';
  /**
   * Encodes agent audio: a frame of 20 ms, or as many as the peer's buffer takes in one message. The bytes are never
   * changed afterwards: the socket may hold them for a while.
   */
  encodeAudio(samples: Int16Array): Buffer;
  /** The message that clears the peer's buffer; null if the protocol has none. */
  encodeClear(): string | null;
  /**
   * The message that asks the peer to report when everything sent so far has been played; null if the protocol has
   * none.
   */
  encodeMark(name: string): string | null;
  /** A message for clients that subscribed to events; null if the protocol has none. */
  encodeEvent(event: Readonly<Record<string, unknown>>): string | null;
  /** Releases resources after the connection has closed. */
  close?(): void;
}

/** The peer violated the protocol. The message says how; the peer receives it as its socket is closed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
