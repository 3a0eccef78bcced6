import type { ModelReport } from '#dialogue/dialogue-observer.js';
import type { Clock } from '#kernel/time/clock.js';
import { asError } from '#kernel/errors/as-error.js';
import {
  ModelError,
  type LanguageModel,
  type ModelPart,
  type ModelRequest,
  type ModelToolCall,
  type ModelUsage,
} from './language-model.js';
import { SpokenStream } from './spoken-stream.js';
import { LATE, waitFor } from './wait.js';

/** If the first part of an answer takes longer than this, the caller hears a filler. */
const FILLER_AFTER_MS = 2_500;
/** Limits and fallbacks are applied by `modelWithFallback`; this timeout only keeps a call from waiting for ever. */
const PART_TIMEOUT_MS = 20_000;

/** The abort reason for the model's stream when its answer is over. */
const OVER = new Error('the answer is over');

const UNKNOWN_USAGE: ModelUsage = { inputTokens: null, cachedInputTokens: null, outputTokens: null };

/** A piece of an answer as it arrives. */
export type AnswerPiece =
  /** The first part is late: the caller should hear a filler. */
  | { kind: 'waiting' }
  /** Text, ready to be spoken. */
  | { kind: 'text'; text: string };

/** The end of an answer. */
export interface Answer {
  calls: readonly ModelToolCall[];
  providerData?: unknown;
  /** Why the answer is incomplete; null if it is complete. */
  failure: Error | null;
}

/** The dependencies of {@link streamAnswer}. */
export interface AnswerParts {
  model: LanguageModel;
  clock: Clock;
  /** Receives a report of the request when it ends. */
  onModel(report: Omit<ModelReport, 'turn'>): void;
  signal: AbortSignal;
}

/**
 * Asks a model once: yields its text, made speakable, as it arrives, and returns its tool calls. Reports the request to
 * `onModel`. Never throws: a failure is in the result, and an aborted answer has none. Used by `AnswerRounds` for each
 * round of a turn, for replies prepared early, and for summaries.
 */
export async function* streamAnswer(
  request: ModelRequest,
  { model, clock, onModel, signal }: AnswerParts,
): AsyncGenerator<AnswerPiece, Answer> {
  const stop = new AbortController();
  const forwardAbort = () => stop.abort(signal.reason);
  signal.addEventListener('abort', forwardAbort, { once: true });
  if (signal.aborted) forwardAbort();
  const beganMs = clock.monotonicMs();
  const startedAt = clock.wallMs();
  const spoken = new SpokenStream();
  const calls: ModelToolCall[] = [];
  let [firstTokenMs, failure]: [number | null, Error | null] = [null, null];
  let finish: Extract<ModelPart, { type: 'finish' }> | null = null;
  try {
    const parts = model.stream(request, stop.signal)[Symbol.asyncIterator]();
    while (finish === null && !signal.aborted) {
      const part = yield* nextPart(parts, { clock, model, isFirst: firstTokenMs === null });
      if (part === null || signal.aborted) break;
      if (part.type !== 'finish') firstTokenMs ??= clock.monotonicMs() - beganMs;
      if (part.type === 'finish') finish = part;
      if (part.type === 'tool_call') calls.push(part.call);
      const text = part.type === 'text' ? spoken.push(part.text) : '';
      if (text !== '') yield { kind: 'text', text };
    }
    if (finish === null && !signal.aborted) throw cutAnswer(model);
  } catch (error) {
    failure = signal.aborted ? null : asError(error);
  } finally {
    signal.removeEventListener('abort', forwardAbort);
    stop.abort(OVER);
    const { provider, model: name } = finish?.answeredBy ?? model;
    const usage = finish?.usage ?? UNKNOWN_USAGE;
    const failureMessage = failure?.message ?? null;
    onModel({ provider, model: name, ...usage, firstTokenMs, startedAt, failure: failureMessage });
  }
  const rest = signal.aborted ? '' : spoken.flush();
  if (rest.trim() !== '') yield { kind: 'text', text: rest };
  // Tools of an answer that was cut are not run: its missing part may have changed them.
  if (finish === null) return { calls: [], failure };
  return {
    calls,
    failure,
    ...(finish.providerData === undefined ? {} : { providerData: finish.providerData }),
  };
}

/** The next part of the model's stream; null at its end. Yields `waiting` if the first part is late. */
async function* nextPart(
  parts: AsyncIterator<ModelPart>,
  { clock, model, isFirst }: { clock: Clock; model: LanguageModel; isFirst: boolean },
): AsyncGenerator<AnswerPiece, ModelPart | null> {
  const work = parts.next();
  let next = await waitFor(work, isFirst ? FILLER_AFTER_MS : PART_TIMEOUT_MS, clock);
  if (next === LATE && isFirst) {
    yield { kind: 'waiting' };
    next = await waitFor(work, PART_TIMEOUT_MS - FILLER_AFTER_MS, clock);
  }
  if (next === LATE) {
    // The read goes on, and its result is ignored.
    work.catch(() => {});
    const { provider } = model;
    throw new ModelError('the model stopped answering', { provider, failure: 'timeout', retryable: true });
  }
  return next.done === true ? null : next.value;
}

function cutAnswer({ provider }: LanguageModel): ModelError {
  return new ModelError('the answer ended before it was finished', {
    provider,
    failure: 'cut',
    retryable: true,
  });
}
