import type { Transcript } from '#speech/stt.js';
import type {
  DialogueEvent,
  DialogueManager,
  DialogueOutput,
  TurnInput,
} from '#dialogue/dialogue-manager.js';
import type { DialogueObserver } from '#dialogue/dialogue-observer.js';
import type { Outcome } from '#dialogue/outcome.js';
import type { TalkMemory } from '#dialogue/talk-memory.js';
import type { Toolbox, ToolEffect } from '#dialogue/tools/toolbox.js';
import { fillVariables } from '#dialogue/variables.js';
import { inLanguage } from '#dialogue/prompt/system-text.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { AnswerRounds, type TurnBrief, type TurnResult } from './answer-rounds.js';
import type { CallerControl, CallerWish, ControlSentence } from './caller-control.js';
import { History, type HistoryTurn } from './history.js';
import type { LanguageModel, ModelCallFacts, ModelSettings } from './language-model.js';
import { ToolRounds } from './tool-rounds.js';

/** After this many answers of the model in a call, the agent says goodbye. */
const MOST_ANSWERS = 60;
/** The agent ends the call after more inputs in a row without recognised words. */
const MOST_UNCLEAR = 3;
/** This many failed answers of the model in a row end the call, even if the caller heard a part of each. */
const MOST_BROKEN_ANSWERS = 2;

/** The dependencies of {@link ModelDialogue}. */
export interface ModelDialogueParts {
  model: LanguageModel;
  settings: ModelSettings & { maxContextTokens: number };
  /** The whole system text except for the language. */
  system: string;
  /** The language of the call; `control` uses the same object. */
  language?: CallLanguage;
  /** Said first, without the model; its variables are filled in from `memory`. */
  initialMessage: string;
  memory: TalkMemory;
  toolbox: Toolbox;
  control: CallerControl;
  observer: DialogueObserver;
  /** True if replies are prepared: the model is asked while the caller may still be speaking. */
  preparesReplies: boolean;
  /** Facts of the call for a customer's own model server. */
  call?: ModelCallFacts;
  clock: Clock;
  log: Log;
}

/** State that a turn changes and that is restored when the turn is taken back. */
interface Progress {
  /** True once the agent has said its initial message. */
  hasOpened: boolean;
  /** True between a call-screening service and the person after it. */
  isScreened: boolean;
  /** Answers of the model so far. */
  answers: number;
  unclearInARow: number;
  brokenAnswersInARow: number;
}

/**
 * The dialogue manager of an agent that talks through a language model without a playbook. Wishes of the caller that no
 * prompt may override (no more calls, a person, a goodbye) are handled before the model is asked, and the call ends
 * after {@link MOST_ANSWERS} answers. `createModelDialogues` makes one per call.
 */
export class ModelDialogue implements DialogueManager {
  readonly takesAdvice = true;
  readonly #parts: ModelDialogueParts;
  readonly #history = new History();
  readonly #tools: ToolRounds;
  readonly #rounds: AnswerRounds;
  #progress: Progress = {
    hasOpened: false,
    isScreened: false,
    answers: 0,
    unclearInARow: 0,
    brokenAnswersInARow: 0,
  };
  /** Restores the state from before the last turn. */
  #undoTurn: () => void = () => {};

  constructor(parts: ModelDialogueParts) {
    this.#parts = parts;
    const history = this.#history;
    this.#tools = new ToolRounds({ ...parts, history });
    this.#rounds = new AnswerRounds({
      ...parts,
      history,
      tools: this.#tools,
      filler: () => parts.control.say('one_moment'),
    });
  }

  async *turn(input: TurnInput, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    if (signal.aborted) return;
    const progress = { ...this.#progress };
    const bookmarks = [this.#parts.control.bookmark(), this.#rounds.bookmark()];
    this.#undoTurn = () => {
      this.#progress = progress;
      for (const restore of bookmarks) restore();
    };
    this.#rounds.turnBegins();
    try {
      for await (const output of this.#decide(input, signal)) {
        yield output;
        if (signal.aborted) return;
      }
    } finally {
      this.#rounds.turnEnds(this.#brief());
    }
  }

  note(event: DialogueEvent): void {
    const { control, memory } = this.#parts;
    switch (event.kind) {
      case 'hearing':
        this.#rounds.takePartialWords(event, (words) => this.#briefOn(words));
        return;
      case 'interrupted':
        this.#history.interrupted(event.heard);
        this.#tools.interrupted();
        control.interrupted(event.heard);
        return;
      case 'taken_back':
        this.#history.takenBack();
        this.#undoTurn();
        this.#undoTurn = () => {};
        return;
      // Both may hold a do-not-call request. Last words are a reply, so they may also answer a question about it.
      case 'overheard':
      case 'last_words':
        if (event.transcript.text.trim() !== '') this.#history.addOverheard(event.transcript.text);
        if (control.forbidsCalls(event.transcript)) memory.forbidCalls();
        if (event.kind === 'last_words' && control.hear(event.transcript) === 'do_not_call')
          memory.forbidCalls();
        return;
      case 'screened':
        this.#progress.isScreened = true;
        return;
      case 'said_for_agent':
        this.#history.addOperatorWords(event.text);
        return;
      case 'advised':
        this.#history.addAdvice(event.text);
    }
  }

  outcome(): Outcome {
    return this.#parts.memory.outcome();
  }

  sumUp(signal: AbortSignal): Promise<string | null> {
    return this.#rounds.sumUp(signal);
  }

  close(): void {
    this.#rounds.close();
  }

  /** The model's input apart from the history. */
  #brief(): TurnBrief {
    const { system, language, toolbox, call, memory } = this.#parts;
    return {
      system: inLanguage(system, language),
      toolbox,
      ...(call && { call: { ...call, variables: memory.variables } }),
    };
  }

  /** The model's input if the caller had said these words; null if the model would not answer them. */
  #briefOn(words: string): TurnBrief | null {
    const { hasOpened, isScreened, answers } = this.#progress;
    if (!hasOpened || isScreened || answers >= MOST_ANSWERS) return null;
    const restore = this.#parts.control.bookmark();
    const wish = this.#parts.control.hear({ text: words, confidence: 1 });
    restore();
    return wish === null ? this.#brief() : null;
  }

  /** The outputs of a turn. */
  async *#decide(input: TurnInput, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    if (input.kind === 'transfer_failed') this.#tools.transferFailed();
    this.#tools.turnBegins();
    if (input.kind === 'heard') return yield* this.#handleReply(input.transcript, signal);
    const turn = this.#history.begin(null);
    switch (input.kind) {
      case 'opening':
        yield this.#introduce(turn);
        break;
      case 'silence':
        this.#parts.control.silence();
        yield this.#say(turn, input.prompts <= 1 ? 'still_there' : 'cannot_hear');
        break;
      case 'transfer_failed':
        yield this.#say(turn, 'not_connected');
        break;
      case 'returned':
        yield this.#say(turn, 'returned');
        break;
      case 'goodbye':
        yield this.#say(turn, 'nobody_there');
        return yield { kind: 'end' };
    }
    yield LISTEN;
  }

  /** Answers words of the caller: by a fixed sentence for a wish, or else by the model. */
  async *#handleReply(heard: Transcript, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    const progress = this.#progress;
    const turn = this.#history.begin(heard.text.trim() === '' ? null : heard.text);
    const wish = this.#parts.control.hear(heard);
    const mustIntroduce = !progress.hasOpened || progress.isScreened;
    progress.isScreened = false;
    // A caller who has not heard the agent's introduction hears it first.
    if (mustIntroduce && (wish === null || wish === 'unclear' || wish === 'who')) {
      yield this.#introduce(turn);
      return yield LISTEN;
    }
    progress.unclearInARow = wish === 'unclear' ? progress.unclearInARow + 1 : 0;
    if (wish !== null && wish !== 'goodbye_after_answer') return yield* this.#handleWish(wish, turn);
    progress.answers += 1;
    if (progress.answers > MOST_ANSWERS) return yield* this.#end(turn, 'goodbye');
    yield* this.#answer(turn, signal, { isLeaving: wish === 'goodbye_after_answer' });
  }

  /** Carries out the caller's wish, which no prompt can overrule. */
  *#handleWish(wish: CallerWish, turn: HistoryTurn): Generator<DialogueOutput> {
    const { memory, toolbox } = this.#parts;
    switch (wish) {
      case 'do_not_call':
        memory.forbidCalls();
        return yield* this.#end(turn, 'do_not_call');
      case 'wrong_number':
        memory.conclude({
          intent: 'wrong_number',
          summary: 'The customer said that it was the wrong number.',
        });
        return yield* this.#end(turn, 'wrong_number');
      case 'goodbye':
        memory.conclude({ intent: 'end_call' });
        return yield* this.#end(turn, 'goodbye');
      case 'person':
        // Without a destination the agent says that no person can be reached.
        if (toolbox.transferTo === null) break;
        memory.conclude({ intent: 'transfer' });
        yield this.#say(turn, 'connecting', false);
        return yield { kind: 'transfer', ...toolbox.transferTo };
      case 'who':
        yield this.#introduce(turn);
        return yield LISTEN;
      case 'unclear':
        if (this.#progress.unclearInARow > MOST_UNCLEAR) return yield* this.#end(turn, 'nobody_there');
        break;
      // `goodbye_after_answer` never comes here: the model answers it.
      case 'hold':
      case 'perhaps_do_not_call':
      case 'goodbye_after_answer':
    }
    yield this.#say(turn, SENTENCE_OF_WISH[wish] ?? 'not_understood');
    yield LISTEN;
  }

  /** Lets the model answer. @param isLeaving true if the call ends after the answer */
  async *#answer(
    turn: HistoryTurn,
    signal: AbortSignal,
    { isLeaving }: { isLeaving: boolean },
  ): AsyncGenerator<DialogueOutput> {
    const { memory } = this.#parts;
    const result = yield* this.#rounds.answer(turn, this.#brief(), signal);
    if (result.kind === 'dropped') return;
    if (result.kind === 'failed') return yield* this.#handleFailure(turn, result);
    this.#progress.brokenAnswersInARow = 0;
    if (result.effects.length > 0) return yield* this.#applyEffects(turn, result.effects, result.spoke);
    if (!result.spoke) yield this.#say(turn, 'not_understood');
    if (!isLeaving) return yield LISTEN;
    memory.conclude({ intent: 'end_call' });
    yield* this.#end(turn, 'goodbye');
  }

  /**
   * Handles a failed answer. If a part of it was heard, the agent listens, and the next turn asks the model again.
   * Without words, or after repeated failures, the call ends with an apology.
   */
  *#handleFailure(
    turn: HistoryTurn,
    { error, spoke, hadAnswer }: Extract<TurnResult, { kind: 'failed' }>,
  ): Generator<DialogueOutput> {
    this.#parts.log.warn({ err: error }, 'the language model failed');
    // An earlier answer of this turn was complete, so this is the first failure after it.
    this.#progress.brokenAnswersInARow = hadAnswer ? 1 : this.#progress.brokenAnswersInARow + 1;
    if (spoke && this.#progress.brokenAnswersInARow < MOST_BROKEN_ANSWERS) return yield LISTEN;
    yield { kind: 'flush' };
    yield this.#say(turn, 'technical_problem', false);
    yield { kind: 'end', error };
  }

  /** Carries out the effects that tools request. */
  *#applyEffects(
    turn: HistoryTurn,
    effects: readonly ToolEffect[],
    hasSpoken: boolean,
  ): Generator<DialogueOutput> {
    const keys = effects.flatMap((effect) => (effect.kind === 'press' ? [effect.keys] : [])).join('');
    if (keys !== '') yield { kind: 'press', keys };
    const transfer = effects.find((effect) => effect.kind === 'transfer');
    const end = effects.find((effect) => effect.kind === 'end');
    if (transfer) {
      if (!hasSpoken) yield this.#say(turn, 'connecting', false);
      yield transfer;
    } else if (end) {
      if (!hasSpoken) yield this.#say(turn, end.goodbye);
      yield { kind: 'end' };
    } else yield LISTEN;
  }

  /** Says the initial message of the agent. */
  #introduce(turn: HistoryTurn): DialogueOutput {
    this.#progress.hasOpened = true;
    const { initialMessage, memory } = this.#parts;
    return this.#sayText(turn, fillVariables(initialMessage, [memory.variables]));
  }

  /** Says a last sentence, and hangs up. */
  *#end(turn: HistoryTurn, sentence: ControlSentence): Generator<DialogueOutput> {
    yield this.#say(turn, sentence);
    yield { kind: 'end' };
  }

  #say(turn: HistoryTurn, sentence: ControlSentence, interruptible = true): DialogueOutput {
    return this.#sayText(turn, this.#parts.control.say(sentence), interruptible);
  }

  #sayText(turn: HistoryTurn, text: string, interruptible = true): DialogueOutput {
    this.#history.addSpeech(turn, ` ${text}`);
    return { kind: 'say', text, interruptible };
  }
}

const LISTEN: DialogueOutput = { kind: 'listen', hints: { kind: 'anything' } };

/** The agent's replies to wishes that leave the conversation as it was. */
const SENTENCE_OF_WISH: Readonly<Partial<Record<CallerWish, ControlSentence>>> = {
  unclear: 'not_understood',
  hold: 'hold',
  person: 'person',
  perhaps_do_not_call: 'ask_do_not_call',
};
