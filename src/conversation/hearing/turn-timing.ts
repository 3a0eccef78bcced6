import type { Clock } from '#kernel/time/clock.js';
import type { TurnTiming } from '#conversation/talk/conversation.js';
import type { Utterance } from './utterance-segmenter.js';

/** The caller's side of a response. */
export interface ResponseMarks {
  /** From the last voiced sample to the end of the turn, by the sample clock. */
  endOfTurnMs: number;
  /** When the turn ended and when its words were available, in monotonic milliseconds. */
  turnOverAtMs: number;
  wordsAtMs: number;
}

/** The marks of a response that begins now: to an utterance, or to input without speech. */
export function responseTo(
  utterance: Pick<Utterance, 'endMs'> | undefined,
  { positionMs, clock }: { positionMs: number; clock: Clock },
): ResponseMarks {
  const endOfTurnMs = utterance ? positionMs - utterance.endMs : 0;
  return { endOfTurnMs, turnOverAtMs: clock.monotonicMs(), wordsAtMs: 0 };
}

/** The agent's side: its first sentence, the first sound of it, and its first frame on the wire (monotonic). */
export interface TurnMarks {
  /** Start of the first frame on the stream's time line, in milliseconds. */
  startMs: number | null;
  thoughtAtMs: number | null;
  voiceAtMs: number | null;
  soundedAtMs: number | null;
}

/** The parts of a response; null if none of it was heard. */
export function turnTiming(
  turn: number,
  response: ResponseMarks,
  { startMs, thoughtAtMs, voiceAtMs, soundedAtMs }: TurnMarks,
  interrupted: boolean,
): TurnTiming | null {
  if (startMs === null || thoughtAtMs === null || voiceAtMs === null || soundedAtMs === null) return null;
  return {
    turn,
    endOfTurnMs: Math.round(response.endOfTurnMs),
    sttMs: Math.round(response.wordsAtMs - response.turnOverAtMs),
    thinkMs: Math.round(thoughtAtMs - response.wordsAtMs),
    speakMs: Math.round(voiceAtMs - thoughtAtMs),
    totalMs: Math.round(response.endOfTurnMs + soundedAtMs - response.turnOverAtMs),
    soundedAtMs: Math.round(startMs),
    interrupted,
  };
}
