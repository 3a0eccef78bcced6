import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { DialogueObserver } from '#dialogue/dialogue-observer.js';
import { AnswerRounds } from '#dialogue/llm/answer-rounds.js';
import { History, type HistoryTurn } from '#dialogue/llm/history.js';
import type { LanguageModel, ModelCallFacts, ModelSettings } from '#dialogue/llm/language-model.js';
import { ToolRounds } from '#dialogue/llm/tool-rounds.js';
import type { ToolMemory } from '#dialogue/tool-memory.js';
import type { Toolbox } from '#dialogue/tools/toolbox.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';

/** The dependencies of talk, tool and press steps from outside the playbook module, for one call. */
export interface StepContext {
  /** Null if no model is available: a talk step is then left by `otherwise`. */
  model: LanguageModel | null;
  settings: ModelSettings & { maxContextTokens: number };
  /** Opens the agent's tools on the memory of the call. */
  openToolbox(memory: ToolMemory): Toolbox;
  observer: DialogueObserver;
  /** True if replies are prepared from interim words, while the caller may still be speaking. */
  preparesReplies: boolean;
  /** Facts about the call for customer-hosted models. */
  call: Omit<ModelCallFacts, 'variables' | 'step'>;
  clock: Clock;
  log: Log;
}

/**
 * The model's side of a call, across all steps of a playbook: the history that the model receives, and the rounds in
 * which it answers and calls tools. `PerformedSteps` has one for each call.
 */
export class ModelSession {
  readonly history = new History();
  readonly tools: ToolRounds;
  /** Null if no model is available. */
  readonly rounds: AnswerRounds | null;
  #turn: HistoryTurn | null = null;

  /** @param filler the sentence for a caller who waits for the model ("One moment.") */
  constructor({ model, ...parts }: StepContext, filler: () => string) {
    const { history } = this;
    this.tools = new ToolRounds({ ...parts, history });
    this.rounds = model && new AnswerRounds({ ...parts, model, history, tools: this.tools, filler });
  }

  /** The turn in progress. Reading it before the first `beginTurn` begins a turn without words of the caller. */
  get turn(): HistoryTurn {
    return (this.#turn ??= this.history.begin(null));
  }

  /**
   * Starts a turn.
   * @param user what the caller said; empty if nothing was said or understood
   */
  beginTurn(user: string): void {
    this.tools.turnBegins();
    this.rounds?.turnBegins();
    this.#turn = this.history.begin(user.trim() === '' ? null : user);
  }

  /** Adds the texts of the playbook (not of the model) to the history. Returns the outputs unchanged. */
  record(outputs: readonly DialogueOutput[]): readonly DialogueOutput[] {
    for (const output of outputs)
      if (output.kind === 'say') this.history.addSpeech(this.turn, ` ${output.text}`);
    return outputs;
  }
}
