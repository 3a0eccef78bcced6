import type { Clock } from '#kernel/time/clock.js';
import type { TurnTiming } from '#conversation/talk/conversation.js';
import type { Utterance } from './utterance-segmenter.js';

/*
 * The timing of the agent's responses, for the metrics and the turns of a call: from the end of the caller's speech to
 * the agent's first sound. In a `LiveConversation`, the caller's marks are made by the conversation and the agent's by
 * `AgentTurn`; a `RealtimeConversation` knows only the total and fills in both.
 */

/** When the caller's turn ended and was understood: the caller's side of a `TurnTiming`. */
export interface ResponseMarks {
  /** From the last voiced sample to the end of the turn, by the sample clock; 0 for typed input and DTMF. */
  endOfTurnMs: number;
  /** When the turn ended (monotonic). */
  turnOverAtMs: number;
  /** When the words of the turn were available (monotonic); 0 until `AgentTurns` sets it. */
  wordsAtMs: number;
}

/**
 * The marks of a response to a turn that ends now.
 * @param utterance the last utterance of the turn; missing for typed input and DTMF
 */
export function beginResponse(
  utterance: Pick<Utterance, 'endMs'> | undefined,
  { positionMs, clock }: { positionMs: number; clock: Clock },
): ResponseMarks {
  const endOfTurnMs = utterance ? positionMs - utterance.endMs : 0;
  return { endOfTurnMs, turnOverAtMs: clock.monotonicMs(), wordsAtMs: 0 };
}

/** The agent's side of a response; null for what has not happened yet. Times with `At` are monotonic. */
export interface TurnMarks {
  /** Start of the first frame sent, in milliseconds of the stream. */
  startMs: number | null;
  /** When the first sentence of the answer was known. */
  firstSentenceAtMs: number | null;
  /** When the voice delivered the first sound of that sentence. */
  firstSoundAtMs: number | null;
  /** When the first frame was sent. */
  sentAtMs: number | null;
}

/**
 * The timing of one response, as observers get it; null if the agent's turn was never heard. The total runs from the
 * end of the caller's speech to the first frame sent; the other durations are its parts up to the voice's first sound.
 * @param turn number of the response in its call, from 1
 */
export function turnTiming(
  turn: number,
  response: ResponseMarks,
  { startMs, firstSentenceAtMs, firstSoundAtMs, sentAtMs }: TurnMarks,
  interrupted: boolean,
): TurnTiming | null {
  if (startMs === null || firstSentenceAtMs === null || firstSoundAtMs === null || sentAtMs === null)
    return null;
  return {
    turn,
    endOfTurnMs: Math.round(response.endOfTurnMs),
    sttMs: Math.round(response.wordsAtMs - response.turnOverAtMs),
    thinkMs: Math.round(firstSentenceAtMs - response.wordsAtMs),
    speakMs: Math.round(firstSoundAtMs - firstSentenceAtMs),
    totalMs: Math.round(response.endOfTurnMs + sentAtMs - response.turnOverAtMs),
    soundedAtMs: Math.round(startMs),
    interrupted,
  };
}
