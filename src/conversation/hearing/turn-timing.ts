import type { Clock } from '#kernel/time/clock.js';
import type { TurnTiming } from '#conversation/talk/conversation.js';
import type { Utterance } from './utterance-segmenter.js';

/*
 * The timing of the agent's responses, for the metrics and the turns of a call: from the end of the caller's speech to
 * the agent's first sound. `LiveConversation` makes the caller's marks, `AgentTurn` the agent's.
 */

/** When the caller's turn ended and was understood: the caller's side of a `TurnTiming`. */
export interface ResponseMarks {
  /** From the last voiced sample to the end of the turn, by the sample clock; 0 for typed input and DTMF. */
  endOfTurnMs: number;
  /** When the turn ended, and when its words were available (monotonic); `wordsAtMs` is set later by `AgentTurns`. */
  turnOverAtMs: number;
  wordsAtMs: number;
}

/**
 * The marks of a response to a turn that ends now: to an utterance, or to input without speech.
 * @param utterance missing for typed input and DTMF
 */
export function beginResponse(
  utterance: Pick<Utterance, 'endMs'> | undefined,
  { positionMs, clock }: { positionMs: number; clock: Clock },
): ResponseMarks {
  const endOfTurnMs = utterance ? positionMs - utterance.endMs : 0;
  return { endOfTurnMs, turnOverAtMs: clock.monotonicMs(), wordsAtMs: 0 };
}

/**
 * The agent's side of a response; null until it happens. Monotonic times: the first sentence of the answer, the first
 * sound of that sentence, and the first frame sent.
 */
export interface TurnMarks {
  /** Start of the first frame on the stream's time line, in milliseconds. */
  startMs: number | null;
  firstSentenceAtMs: number | null;
  firstSoundAtMs: number | null;
  sentAtMs: number | null;
}

/**
 * The timing of one response, as observers get it; null if the agent's turn was never heard.
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
