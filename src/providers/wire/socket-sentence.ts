import type { OutboundSocket, SocketMessage, SocketTarget } from '#outbound-http/socket.js';
import type { VoicePart } from '#providers/voices/voice-wire.js';
import { cutOffError } from '#providers/voices/voice-errors.js';
import type { IdleSockets } from './idle-sockets.js';

/** One sentence in a vendor's WebSocket protocol: the messages that request it, and the parser of the answer. */
export interface SocketSentence {
  provider: string;
  target: SocketTarget;
  /** The messages that request the sentence, sent as soon as the socket is open. */
  begin: readonly object[];
  /**
   * The parts in a message; `done` after the last part of the sentence.
   * @throws SpeechError for an error message of the vendor
   */
  read(message: SocketMessage): readonly (VoicePart | 'done')[];
  /** The message that cancels the sentence; null if only the end of the connection cancels it. */
  cancel: object | null;
}

/**
 * Speaks one sentence over a pooled socket, for the voices of Cartesia, Deepgram and ElevenLabs. If a used socket
 * closes before the first part of the answer, it had expired unnoticed, and the next socket is tried; a new socket that
 * closes before the end of the answer is an error.
 * @throws SpeechError, or the error of the connection
 */
export async function* speakOverSocket(
  sentence: SocketSentence,
  sockets: IdleSockets,
  signal: AbortSignal,
): AsyncGenerator<VoicePart> {
  for (;;) {
    const { socket, isUsed } = await sockets.take(sentence.target, signal);
    const state = { isBegun: false, isDone: false };
    try {
      yield* answerParts(socket, sentence, state, signal);
      if (state.isDone || signal.aborted) return;
      if (!isUsed || state.isBegun) throw cutOffError(sentence.provider, socket.end);
    } finally {
      giveBackOrEnd(socket, sentence, sockets, { isDone: state.isDone, isAborted: signal.aborted });
    }
  }
}

/** Requests the sentence and yields its parts; ends early when the socket closes. */
async function* answerParts(
  socket: OutboundSocket,
  { begin, read }: SocketSentence,
  state: { isBegun: boolean; isDone: boolean },
  signal: AbortSignal,
): AsyncGenerator<VoicePart> {
  for (const message of begin) socket.send(JSON.stringify(message));
  for (;;) {
    const message = await socket.next(signal);
    if (message === null) return;
    for (const part of read(message)) {
      state.isBegun = true;
      if (part === 'done') {
        state.isDone = true;
        return;
      }
      yield part;
    }
  }
}

/**
 * Returns the socket to the pool, or ends it. A socket with an unfinished answer is only reusable after a cancellation,
 * by a vendor whose messages identify their sentence.
 */
function giveBackOrEnd(
  socket: OutboundSocket,
  { target, cancel }: SocketSentence,
  sockets: IdleSockets,
  { isDone, isAborted }: { isDone: boolean; isAborted: boolean },
): void {
  if (socket.end !== null) return;
  if (isDone) return sockets.giveBack(target, socket);
  if (!isAborted || cancel === null) return socket.terminate();
  socket.send(JSON.stringify(cancel));
  sockets.giveBack(target, socket);
}
