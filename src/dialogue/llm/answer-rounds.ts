import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { DialogueObserver, ModelReport } from '#dialogue/dialogue-observer.js';
import { estimateTokens } from '#dialogue/prompt/tokens.js';
import type { Toolbox, ToolEffect } from '#dialogue/tools/toolbox.js';
import type { Clock } from '#kernel/time/clock.js';
import { briefingOn, ContextSummary } from './context-summary.js';
import type { History, HistoryTurn } from './history.js';
import { streamAnswer, type Answer, type AnswerPiece } from './model-answer.js';
import type { LanguageModel, ModelCallFacts, ModelRequest, ModelSettings } from './language-model.js';
import { ReplyPreparation, type PreparedReply } from './prepared-reply.js';
import type { ToolRounds } from './tool-rounds.js';

/** Most rounds of tool calls in a turn; in the next round the model gets no tools and must speak. */
const MOST_TOOL_ROUNDS = 5;

/** The dependencies of {@link AnswerRounds}. */
export interface AnswerRoundsParts {
  model: LanguageModel;
  settings: ModelSettings & { maxContextTokens: number };
  history: History;
  tools: ToolRounds;
  observer: DialogueObserver;
  /** True if replies are prepared: the model is asked while the caller may still be speaking. */
  preparesReplies: boolean;
  clock: Clock;
  /** The sentence for a caller who has to wait. */
  filler(): string;
}

/** The input of a model for one turn, apart from the history. */
export interface TurnBrief {
  /** The whole system text. */
  system: string;
  toolbox: Toolbox;
  /** Facts of the call for a customer's own model server. */
  call?: ModelCallFacts;
  /** True if a tool has decided how the turn continues, so that the model is not asked again; checked every round. */
  isOver?(): boolean;
}

/** The result of a model's turn. */
export type TurnResult =
  /** The turn was aborted because the caller spoke. */
  | { kind: 'dropped' }
  /**
   * `spoke`: the caller hears a part of the failed answer. `hadAnswer`: an earlier answer of the turn, which called
   * tools, was complete.
   */
  | { kind: 'failed'; error: Error; spoke: boolean; hadAnswer: boolean }
  /** `effects`: the effects that tools request. `spoke`: the caller hears a part of the answer. */
  | { kind: 'done'; effects: readonly ToolEffect[]; spoke: boolean };

/**
 * The turns of a language model in one call, each in rounds: the model is asked, its tools run, and it is asked again
 * with their results, until it calls no tool. Keeps the history, prepares replies early, and sums up a long history.
 * Used by `ModelDialogue` and by the model steps of a playbook.
 */
export class AnswerRounds {
  readonly #parts: AnswerRoundsParts;
  /** Turns that the model was asked for. */
  #turnCount = 0;
  /** True after a filler ("one moment"), until the model has answered: one filler is enough. */
  #hasSaidFiller = false;
  /** True from the model's answer in a turn to the end of the turn. Outside, a prepared reply is for the next turn. */
  #isAnswering = false;
  /** Prepares the reply for the next turn, while the caller speaks. */
  readonly #preparation: ReplyPreparation;
  /** The reply prepared for the present turn; null if there is none, or it was used or dropped. */
  #prepared: PreparedReply | null = null;
  readonly #summary: ContextSummary;

  constructor(parts: AnswerRoundsParts) {
    this.#parts = parts;
    const { model, clock, history, observer } = parts;
    this.#preparation = new ReplyPreparation({
      model,
      clock,
      onModel: (report) =>
        observer.onModel({ turn: this.#turnCount + (this.#isAnswering ? 0 : 1), ...report }),
    });
    this.#summary = new ContextSummary(history, { model, clock, onModel: (report) => this.#report(report) });
  }

  /**
   * The caller is speaking, and these are the words so far: prepares a reply if that is enabled.
   * @param briefOn the model's input if these words were all; null if the answer is not the model's
   */
  takePartialWords(
    soFar: { words: string; hasPaused: boolean },
    briefOn: (words: string) => TurnBrief | null,
  ): void {
    if (!this.#parts.preparesReplies) return;
    this.#preparation.takePartialWords(soFar, (words) => {
      const brief = this.#parts.tools.isRunning ? null : briefOn(words);
      return brief && this.#request({ ...brief, mayCallTools: true }, words);
    });
  }

  /** A turn of the agent begins, with or without the model: the prepared reply is for this turn only. */
  turnBegins(): void {
    this.#prepared?.drop();
    this.#prepared = this.#preparation.handOver();
  }

  /**
   * The turn is over: an unused prepared reply is dropped, and a history that has grown too long is summed up.
   * @param brief the model's input in the next turn; null if unknown
   */
  turnEnds(brief: TurnBrief | null): void {
    this.#prepared?.drop();
    this.#prepared = null;
    this.#isAnswering = false;
    if (brief) this.#summary.turnOver(this.#historyTokens(brief.system, brief.toolbox.offered));
  }

  /** A spoken briefing on the call so far, for a person who takes the caller over; null if the model gives none. */
  sumUp(signal: AbortSignal): Promise<string | null> {
    const { model, clock, history } = this.#parts;
    return briefingOn(history, { model, clock, signal, onModel: this.#report });
  }

  /** The call is over: cancels prepared replies and a summary in progress. */
  close(): void {
    this.#prepared?.drop();
    this.#preparation.reset();
    this.#summary.close();
  }

  /**
   * One turn of the model: yields what the agent says, and returns the result. Never throws because of the model.
   * @param turn the turn's place in the history
   */
  async *answer(
    turn: HistoryTurn,
    brief: TurnBrief,
    signal: AbortSignal,
  ): AsyncGenerator<DialogueOutput, TurnResult> {
    const { tools } = this.#parts;
    this.#turnCount += 1;
    this.#isAnswering = true;
    let spoke = false;
    for (let round = 0; ; round++) {
      // Tools of an earlier turn may still run: the request needs their results.
      yield* tools.waitForAll(turn, signal);
      if (signal.aborted) return { kind: 'dropped' };
      const { answer, spoke: spokeInRound } = yield* this.#requestAnswer(
        turn,
        { ...brief, mayCallTools: round < MOST_TOOL_ROUNDS },
        signal,
      );
      if (signal.aborted) return { kind: 'dropped' };
      spoke ||= spokeInRound;
      if (answer.failure)
        return { kind: 'failed', error: answer.failure, spoke: spokeInRound, hadAnswer: round > 0 };
      if (answer.calls.length === 0 || round >= MOST_TOOL_ROUNDS) return { kind: 'done', effects: [], spoke };
      yield { kind: 'flush' };
      const { effects } = tools.start(turn, answer, brief.toolbox);
      yield* tools.waitForAll(turn, signal);
      if (signal.aborted) return { kind: 'dropped' };
      const requested = effects();
      if (requested.length > 0 || brief.isOver?.()) return { kind: 'done', effects: requested, spoke };
    }
  }

  /** Returns a function that restores the present state, for a turn that is taken back. */
  bookmark(): () => void {
    const saidFiller = this.#hasSaidFiller;
    return () => {
      this.#hasSaidFiller = saidFiller;
    };
  }

  /** One round: asks the model, speaks its text, and fills a long wait. */
  async *#requestAnswer(
    turn: HistoryTurn,
    brief: TurnBrief & { mayCallTools: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<DialogueOutput, { answer: Answer; spoke: boolean }> {
    const { history } = this.#parts;
    let spoke = false;
    const pieces = this.#answerTo(this.#request(brief), signal);
    for (;;) {
      const next = await pieces.next();
      if (next.done === true) return { answer: next.value, spoke };
      if (next.value.kind === 'text') {
        // Punctuation alone is not heard.
        spoke ||= /[\p{L}\p{N}]/u.test(next.value.text);
        this.#hasSaidFiller = false;
        history.addSpeech(turn, next.value.text);
        yield { kind: 'text_delta', text: next.value.text, interruptible: true };
      } else if (!this.#hasSaidFiller) {
        this.#hasSaidFiller = true;
        const text = this.#parts.filler();
        history.addFiller(turn, text);
        yield { kind: 'say', text, interruptible: true };
      }
      if (signal.aborted) {
        await pieces.return({ calls: [], failure: null });
        return { answer: { calls: [], failure: null }, spoke };
      }
    }
  }

  /** The prepared answer if it fits the request; otherwise the model is asked now. */
  #answerTo(request: ModelRequest, signal: AbortSignal): AsyncGenerator<AnswerPiece, Answer> {
    const { model, clock } = this.#parts;
    const prepared = this.#prepared;
    this.#prepared = null;
    if (prepared?.fits(request)) return prepared.pieces(signal);
    prepared?.drop();
    return streamAnswer(request, { model, clock, signal, onModel: this.#report });
  }

  /** Reports a request of the present turn. */
  readonly #report = (report: Omit<ModelReport, 'turn'>): void => {
    this.#parts.observer.onModel({ turn: this.#turnCount, ...report });
  };

  /**
   * The request for the next answer.
   * @param words words of the caller that are not in the history yet; null if the history ends with the last words
   */
  #request(
    { system, toolbox, call, mayCallTools }: TurnBrief & { mayCallTools: boolean },
    words: string | null = null,
  ): ModelRequest {
    const { settings, history } = this.#parts;
    const tools = mayCallTools ? toolbox.offered : [];
    const maxTokens = this.#historyTokens(system, tools);
    const { temperature, maxOutputTokens, reasoningEffort } = settings;
    return {
      system,
      messages: words === null ? history.messages(maxTokens) : history.messagesWith(words, maxTokens),
      tools,
      settings: { temperature, maxOutputTokens, reasoningEffort },
      ...(call && { call }),
    };
  }

  /** Tokens left for the history after everything that is always sent. */
  #historyTokens(system: string, tools: ModelRequest['tools']): number {
    const fixedTokens = estimateTokens(system) + estimateTokens(JSON.stringify(tools));
    return this.#parts.settings.maxContextTokens - fixedTokens;
  }
}
