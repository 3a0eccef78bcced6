import type { SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints, Transcript } from '#speech/stt.js';

/** What a speech thread is asked and answers, by the kind of request: one request, one answer. */
export interface Requests {
  /** Loads what the thread needs to work, so that the first call does not wait for it. */
  warm_up: { asks: object; answer: null };
  /** Speaks one piece of text: levelled, without silence around it, at the rate asked for. */
  speak: { asks: { text: string; voice: string; sampleRateHz: SampleRateHz }; answer: Int16Array };
  /** Ends the utterance of a session. */
  finish: { asks: { session: number }; answer: Transcript };
}

export type RequestKind = keyof Requests;

/**
 * What a session listens for: what the agent hopes for, how machines greet that have answered a call, or all the ways
 * to refuse, beside other answers.
 */
export type Listened =
  RecognitionHints | { kind: 'greeting' } | { kind: 'refusal'; beside: RecognitionHints };

/** What a speech thread is told, without an answer. Sessions are numbered by their worker. */
export type Order =
  | { kind: 'open'; session: number; sampleRateHz: SampleRateHz; wantsPartials: boolean }
  | { kind: 'expect'; session: number; expectation: Listened }
  | { kind: 'push'; session: number; samples: Int16Array }
  | { kind: 'discard'; session: number }
  | { kind: 'close'; session: number };

/** Any message to a speech thread; requests carry a number for their answer. */
export type ToThread =
  { [Kind in RequestKind]: { kind: Kind; request: number } & Requests[Kind]['asks'] }[RequestKind] | Order;

/** Any message from a speech thread. A failure's message never holds what was said. */
export type FromThread =
  | { kind: 'done'; request: number; answer: Requests[RequestKind]['answer'] }
  | { kind: 'failed'; request: number; message: string }
  | { kind: 'partial'; session: number; text: string };

/** What a thread is for: talking, listening and taking dictation never wait for each other. */
export type Duty = 'speaking' | 'hearing' | 'dictation';

/** A thread's side of a duty: takes messages in order and may answer whenever it is ready. */
export interface ThreadDuty {
  receive(message: ToThread): void;
}

/** How a thread answers; buffers named in `transfer` are handed over, not copied. */
export type Tell = (message: FromThread, transfer?: ArrayBuffer[]) => void;
