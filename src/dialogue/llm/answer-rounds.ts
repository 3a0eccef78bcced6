import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { DialogueObserver, ModelReport } from '#dialogue/dialogue-observer.js';
import { estimateTokens } from '#dialogue/prompt/tokens.js';
import type { Toolbox, ToolEffect } from '#dialogue/tools/toolbox.js';
import type { Clock } from '#kernel/time/clock.js';
import type { History, HistoryTurn } from './history.js';
import { streamAnswer, type Answer } from './model-answer.js';
import type { LanguageModel, ModelCallFacts, ModelRequest, ModelSettings } from './language-model.js';
import type { ToolRounds } from './tool-rounds.js';

/** How often in a turn tools are called; after that the model has to speak. */
const MOST_TOOL_ROUNDS = 5;

const FILLER = 'One moment.';

export interface AnswerRoundsParts {
  model: LanguageModel;
  settings: ModelSettings & { maxContextTokens: number };
  history: History;
  tools: ToolRounds;
  observer: DialogueObserver;
  clock: Clock;
}

/** What the model is given for one turn beside the history. */
export interface TurnBrief {
  /** The whole system text. */
  system: string;
  toolbox: Toolbox;
  /** What a customer's own server learns of the call. */
  call?: ModelCallFacts;
  /** Whether the turn goes on without the model; asked whenever tools are over. */
  isOver?(): boolean;
}

/** What a turn of the model came to. */
export type TurnResult =
  /** The caller spoke. */
  | { kind: 'dropped' }
  /** `spoke`: whether the caller hears anything of the answer that failed. `hadAnswer`: one before it was whole. */
  | { kind: 'failed'; error: Error; spoke: boolean; hadAnswer: boolean }
  /** `effects`: what tools ask of the talk. `spoke`: whether the caller hears anything of it. */
  | { kind: 'done'; effects: readonly ToolEffect[]; spoke: boolean };

/** The turns of a language model in one call: it is asked, its tools run, and it is asked again with what they say. */
export class AnswerRounds {
  readonly #parts: AnswerRoundsParts;
  #turns = 0;
  /** A caller is told once that there is something to wait for, until they have heard an answer. */
  #saidFiller = false;

  constructor(parts: AnswerRoundsParts) {
    this.#parts = parts;
  }

  async *answer(
    turn: HistoryTurn,
    brief: TurnBrief,
    signal: AbortSignal,
  ): AsyncGenerator<DialogueOutput, TurnResult> {
    const { tools } = this.#parts;
    this.#turns += 1;
    let spoke = false;
    for (let round = 0; ; round++) {
      yield* tools.settled(turn, signal);
      if (signal.aborted) return { kind: 'dropped' };
      const asked = yield* this.#ask(turn, { ...brief, mayCall: round < MOST_TOOL_ROUNDS }, signal);
      if (signal.aborted) return { kind: 'dropped' };
      spoke ||= asked.spoke;
      const { answer } = asked;
      if (answer.failure)
        return { kind: 'failed', error: answer.failure, spoke: asked.spoke, hadAnswer: round > 0 };
      if (answer.calls.length === 0 || round >= MOST_TOOL_ROUNDS) return { kind: 'done', effects: [], spoke };
      yield { kind: 'flush' };
      const { effects } = tools.start(turn, answer, brief.toolbox);
      yield* tools.settled(turn, signal);
      if (signal.aborted) return { kind: 'dropped' };
      const wanted = effects();
      if (wanted.length > 0 || brief.isOver?.()) return { kind: 'done', effects: wanted, spoke };
    }
  }

  /** Gives back how to return to where it stands now. */
  bookmark(): () => void {
    const saidFiller = this.#saidFiller;
    return () => {
      this.#saidFiller = saidFiller;
    };
  }

  async *#ask(
    turn: HistoryTurn,
    brief: TurnBrief & { mayCall: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<DialogueOutput, { answer: Answer; spoke: boolean }> {
    const { model, clock, history } = this.#parts;
    let spoke = false;
    const pieces = streamAnswer(this.#request(brief), { model, clock, signal, onModel: this.#report });
    for (;;) {
      const next = await pieces.next();
      if (next.done === true) return { answer: next.value, spoke };
      if (next.value.kind === 'text') {
        spoke ||= /[\p{L}\p{N}]/u.test(next.value.text);
        this.#saidFiller = false;
        history.say(turn, next.value.text);
        yield { kind: 'text_delta', text: next.value.text, interruptible: true };
      } else if (!this.#saidFiller) {
        this.#saidFiller = true;
        history.sayWaiting(turn, FILLER);
        yield { kind: 'say', text: FILLER, interruptible: true };
      }
      if (signal.aborted) {
        await pieces.return({ calls: [], failure: null });
        return { answer: { calls: [], failure: null }, spoke };
      }
    }
  }

  readonly #report = (report: Omit<ModelReport, 'turn'>): void => {
    this.#parts.observer.onModel({ turn: this.#turns, ...report });
  };

  #request({ system, toolbox, call, mayCall }: TurnBrief & { mayCall: boolean }): ModelRequest {
    const { settings, history } = this.#parts;
    const tools = mayCall ? toolbox.offered : [];
    const fixedTokens = estimateTokens(system) + estimateTokens(JSON.stringify(tools));
    const { temperature, maxOutputTokens, reasoningEffort } = settings;
    return {
      system,
      messages: history.messages(settings.maxContextTokens - fixedTokens),
      tools,
      settings: { temperature, maxOutputTokens, reasoningEffort },
      ...(call && { call }),
    };
  }
}
