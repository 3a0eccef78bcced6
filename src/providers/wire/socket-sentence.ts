import type { OutboundSocket, SocketMessage, SocketTarget } from '#outbound-http/socket.js';
import type { VoicePart } from '#providers/voices/voice-wire.js';
import { cutSpeech } from '#providers/voices/voice-errors.js';
import type { IdleSockets } from './idle-sockets.js';

/** What one sentence says over a socket, and how its answer is read. */
export interface SocketSentence {
  provider: string;
  target: SocketTarget;
  /** Sent as soon as the socket is there. */
  begin: readonly object[];
  /** The parts in a message; `done` behind the last one. @throws SpeechError for an error of the vendor */
  read(message: SocketMessage): readonly (VoicePart | 'done')[];
  /** What stops it at the vendor; null where only the end of the connection does. */
  cancel: object | null;
}

/**
 * One sentence on a socket that is kept for the next one. A socket that turns out to be dead before anything came over
 * it is replaced: it had waited too long.
 */
export async function* overSocket(
  sentence: SocketSentence,
  sockets: IdleSockets,
  signal: AbortSignal,
): AsyncGenerator<VoicePart> {
  for (;;) {
    const { socket, isUsed } = await sockets.take(sentence.target, signal);
    const state = { isBegun: false, isDone: false };
    try {
      yield* answerOn(socket, sentence, state, signal);
      if (state.isDone || signal.aborted) return;
      if (!isUsed || state.isBegun) throw cutSpeech(sentence.provider, socket.end);
    } finally {
      leave(socket, sentence, sockets, { isDone: state.isDone, isAborted: signal.aborted });
    }
  }
}

async function* answerOn(
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

/** A socket with half an answer on it serves no other sentence, unless the vendor names what belongs to which. */
function leave(
  socket: OutboundSocket,
  { target, cancel }: SocketSentence,
  sockets: IdleSockets,
  { isDone, isAborted }: { isDone: boolean; isAborted: boolean },
): void {
  if (socket.end !== null) return;
  if (isDone) return sockets.give(target, socket);
  if (!isAborted || cancel === null) return socket.terminate();
  socket.send(JSON.stringify(cancel));
  sockets.give(target, socket);
}
