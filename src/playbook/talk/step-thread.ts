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

/** What steps that talk freely or run tools need from outside, for one call. */
export interface OutsideParts {
  /** Null where none can be used: a talk is left by its `otherwise`. */
  model: LanguageModel | null;
  settings: ModelSettings & { maxContextTokens: number };
  /** The tools of the agent, on the memory of the call. */
  openToolbox(memory: ToolMemory): Toolbox;
  observer: DialogueObserver;
  /** Whether the model is asked on the words so far while the caller may still go on. */
  preparesReplies: boolean;
  /** What a customer's own server learns of the call. */
  call: Omit<ModelCallFacts, 'variables' | 'step'>;
  clock: Clock;
  log: Log;
}

/**
 * What a model is told of a call, through all its steps: what was said and heard, what tools have done. A step that
 * talks later knows what was heard in those before it.
 */
export class StepThread {
  readonly history = new History();
  readonly tools: ToolRounds;
  /** Null where no model can be used. */
  readonly rounds: AnswerRounds | null;
  #turn: HistoryTurn | null = null;

  /** @param filler said where a caller has to wait */
  constructor({ model, ...parts }: OutsideParts, filler: () => string) {
    const { history } = this;
    this.tools = new ToolRounds({ ...parts, history });
    this.rounds = model && new AnswerRounds({ ...parts, model, history, tools: this.tools, filler });
  }

  /** The turn in progress. */
  get turn(): HistoryTurn {
    return (this.#turn ??= this.history.begin(null));
  }

  /** A turn begins. @param user what the caller said; empty where nothing was understood, or nothing said */
  beginTurn(user: string): void {
    this.tools.turnBegins();
    this.rounds?.turnBegins();
    this.#turn = this.history.begin(user.trim() === '' ? null : user);
  }

  /** Keeps what is said without the model. */
  record(outputs: readonly DialogueOutput[]): readonly DialogueOutput[] {
    for (const output of outputs) if (output.kind === 'say') this.history.say(this.turn, ` ${output.text}`);
    return outputs;
  }
}
