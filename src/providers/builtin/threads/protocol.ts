import type { SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints, Transcript } from '#speech/stt.js';

/**
 * The messages between the main thread (`SpeechWorker`) and the speech threads (`speech-thread.ts`). To a thread go
 * requests, which have an answer, and commands, which have none; from a thread come answers and partial transcripts. A
 * session is the recognition of one caller's speech.
 */

/** Requests to a speech thread with their answers, by kind. */
export interface Requests {
  /** Loads what the thread needs, so that the first call does not wait. */
  warm_up: { input: object; answer: null };
  /** Synthesises one text: at an even level, without surrounding silence, at the requested rate. */
  speak: { input: { text: string; voice: string; sampleRateHz: SampleRateHz }; answer: Int16Array };
  /** Ends the present utterance of a session; the answer is its transcript. */
  finish: { input: { session: number }; answer: Transcript };
}

/** The name of a request. */
export type RequestKind = keyof Requests;

/**
 * The grammar that a session recognises with: that of the answer that the agent expects, that of voicemail greetings,
 * or that of the expected answer with all forms of refusal (`hints`: the expected answer).
 */
export type RecognitionTarget =
  RecognitionHints | { kind: 'greeting' } | { kind: 'refusal'; hints: RecognitionHints };

/**
 * A message to a speech thread without an answer, about a recognition session. Session numbers are unique per worker.
 */
export type Command =
  | { kind: 'open'; session: number; sampleRateHz: SampleRateHz; wantsPartials: boolean }
  | { kind: 'expect'; session: number; expectation: RecognitionTarget }
  | { kind: 'push'; session: number; samples: Int16Array }
  /** Drops the utterance in progress. */
  | { kind: 'discard'; session: number }
  | { kind: 'close'; session: number };

/** Any message to a speech thread; requests have a number for their answer. */
export type ToThread =
  { [Kind in RequestKind]: { kind: Kind; request: number } & Requests[Kind]['input'] }[RequestKind] | Command;

/** Any message from a speech thread. The message of a failure never contains spoken words. */
export type FromThread =
  | { kind: 'done'; request: number; answer: Requests[RequestKind]['answer'] }
  | { kind: 'failed'; request: number; message: string }
  | { kind: 'partial'; session: number; text: string };

/**
 * The work of a thread: synthesis, recognition within grammars, or free dictation. Each duty has its own threads, so
 * that they never wait for each other.
 */
export type Duty = 'speaking' | 'hearing' | 'dictation';

/** The thread's implementation of a duty: takes messages in order and may answer at any time. */
export interface ThreadDuty {
  receive(message: ToThread): void;
}

/** Sends a message from a speech thread to the main thread; buffers in `transfer` are moved, not copied. */
export type Post = (message: FromThread, transfer?: ArrayBuffer[]) => void;
