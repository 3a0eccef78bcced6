import type { Transcript } from '#speech/stt.js';
import type {
  DialogueEvent,
  DialogueManager,
  DialogueOutput,
  TurnInput,
} from '#dialogue/dialogue-manager.js';
import type { DialogueObserver } from '#dialogue/dialogue-observer.js';
import type { Outcome } from '#dialogue/outcome.js';
import { estimateTokens } from '#dialogue/prompt/tokens.js';
import type { TalkMemory } from '#dialogue/talk-memory.js';
import type { Toolbox, ToolEffect } from '#dialogue/tools/toolbox.js';
import { fillVariables } from '#dialogue/variables.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { CallerControl, CallerWish, ControlSentence } from './caller-control.js';
import { History, type HistoryTurn } from './history.js';
import { streamAnswer, type Answer } from './model-answer.js';
import type { LanguageModel, ModelCallFacts, ModelRequest, ModelSettings } from './language-model.js';
import { ToolRounds } from './tool-rounds.js';

/** How often the caller is answered before the agent says goodbye: a talk ends. */
const MOST_TURNS = 60;
/** How often in a row a caller is not understood before the agent gives up. */
const MOST_MISHEARD = 3;
/** How often in a row a model may break off before the call ends. */
const MOST_BROKEN_ANSWERS = 2;
/** How often in a turn tools are called; after that the model has to speak. */
const MOST_TOOL_ROUNDS = 5;

const FILLER = 'One moment.';
const CONNECTING = 'One moment, I will connect you.';
const APOLOGY = 'I am sorry, I have a technical problem and must end the call. Goodbye.';

export interface ModelDialogueParts {
  model: LanguageModel;
  settings: ModelSettings & { maxContextTokens: number };
  /** The whole system text. */
  system: string;
  /** Said first, without the model; its variables are filled in from `memory`. */
  initialMessage: string;
  memory: TalkMemory;
  toolbox: Toolbox;
  control: CallerControl;
  observer: DialogueObserver;
  /** What a customer's own server learns of the call. */
  call?: ModelCallFacts;
  clock: Clock;
  log: Log;
}

/** What changes with a turn and is as before when the turn is taken back. */
interface Progress {
  hasOpened: boolean;
  isScreened: boolean;
  turns: number;
  misheard: number;
  broken: number;
  saidFiller: boolean;
}

/**
 * The dialogue manager of an agent that talks through a language model. What callers have a right to (no more calls, a
 * person, a goodbye) is decided before the model is asked, and the talk ends after a number of turns.
 */
export class ModelDialogue implements DialogueManager {
  readonly takesAdvice = true;
  readonly #parts: ModelDialogueParts;
  readonly #history = new History();
  readonly #tools: ToolRounds;
  #progress: Progress = {
    hasOpened: false,
    isScreened: false,
    turns: 0,
    misheard: 0,
    broken: 0,
    saidFiller: false,
  };
  /** Returns to before the turn that was decided last. */
  #goBack: () => void = () => {};

  constructor(parts: ModelDialogueParts) {
    this.#parts = parts;
    this.#tools = new ToolRounds({ ...parts, history: this.#history });
  }

  async *turn(input: TurnInput, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    if (signal.aborted) return;
    const progress = { ...this.#progress };
    const restore = this.#parts.control.bookmark();
    this.#goBack = () => {
      this.#progress = progress;
      restore();
    };
    for await (const output of this.#decide(input, signal)) {
      yield output;
      if (signal.aborted) return;
    }
  }

  note(event: DialogueEvent): void {
    const { control, memory } = this.#parts;
    switch (event.kind) {
      case 'interrupted':
        this.#history.interrupted(event.heard);
        this.#tools.interrupted();
        control.interrupted(event.heard);
        return;
      case 'taken_back':
        this.#history.takenBack();
        this.#goBack();
        this.#goBack = () => {};
        return;
      case 'overheard':
      case 'last_words':
        if (event.transcript.text.trim() !== '') this.#history.overhear(event.transcript.text);
        if (control.forbidsCalls(event.transcript)) memory.forbidCalls();
        if (event.kind === 'last_words' && control.hear(event.transcript) === 'do_not_call')
          memory.forbidCalls();
        return;
      case 'screened':
        this.#progress.isScreened = true;
        return;
      case 'said_for_agent':
        this.#history.addSaid(event.text);
        return;
      case 'advised':
        this.#history.advise(event.text);
    }
  }

  outcome(): Outcome {
    return this.#parts.memory.outcome();
  }

  async *#decide(input: TurnInput, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    if (input.kind === 'transfer_failed') this.#tools.transferFailed();
    this.#tools.turnBegins();
    if (input.kind === 'heard') return yield* this.#hear(input.transcript, signal);
    const turn = this.#history.begin(null);
    switch (input.kind) {
      case 'opening':
        yield this.#open(turn);
        break;
      case 'silence':
        this.#parts.control.silence();
        yield this.#say(turn, input.prompts <= 1 ? 'still_there' : 'cannot_hear');
        break;
      case 'transfer_failed':
        yield this.#say(turn, 'not_connected');
        break;
      case 'goodbye':
        yield this.#say(turn, 'nobody_there');
        return yield { kind: 'end' };
    }
    yield LISTEN;
  }

  async *#hear(heard: Transcript, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    const progress = this.#progress;
    const turn = this.#history.begin(heard.text.trim() === '' ? null : heard.text);
    const wish = this.#parts.control.hear(heard);
    const isGreetedNow = !progress.hasOpened || progress.isScreened;
    progress.isScreened = false;
    // Whoever has not heard who is calling hears that first.
    if (isGreetedNow && (wish === null || wish === 'unclear' || wish === 'who')) {
      yield this.#open(turn);
      return yield LISTEN;
    }
    progress.misheard = wish === 'unclear' ? progress.misheard + 1 : 0;
    if (wish !== null && wish !== 'goodbye_after_answer') return yield* this.#follow(wish, turn);
    progress.turns += 1;
    if (progress.turns > MOST_TURNS) return yield* this.#end(turn, 'goodbye');
    yield* this.#answer(turn, signal, { isLeaving: wish === 'goodbye_after_answer' });
  }

  /** Does what the caller wants, whatever the prompt says. */
  *#follow(wish: CallerWish, turn: HistoryTurn): Generator<DialogueOutput> {
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
        if (toolbox.transferTo === null) break;
        memory.conclude({ intent: 'transfer' });
        yield this.#words(turn, CONNECTING, false);
        return yield { kind: 'transfer', to: toolbox.transferTo };
      case 'who':
        yield this.#open(turn);
        return yield LISTEN;
      case 'unclear':
        if (this.#progress.misheard > MOST_MISHEARD) return yield* this.#end(turn, 'nobody_there');
        break;
      case 'hold':
      case 'perhaps_do_not_call':
      case 'goodbye_after_answer':
    }
    yield this.#say(turn, SENTENCES[wish] ?? 'not_understood');
    yield LISTEN;
  }

  async *#answer(
    turn: HistoryTurn,
    signal: AbortSignal,
    { isLeaving }: { isLeaving: boolean },
  ): AsyncGenerator<DialogueOutput> {
    let hasSpoken = false;
    for (let round = 0; ; round++) {
      yield* this.#tools.settled(turn, signal);
      if (signal.aborted) return;
      const { answer, spoke } = yield* this.#ask(turn, signal, { mayCall: round < MOST_TOOL_ROUNDS });
      if (signal.aborted) return;
      hasSpoken ||= spoke;
      if (answer.failure) return yield* this.#fail(turn, answer.failure, spoke);
      this.#progress.broken = 0;
      if (answer.calls.length === 0 || round >= MOST_TOOL_ROUNDS) break;
      yield { kind: 'flush' };
      const { effects } = this.#tools.start(turn, answer);
      yield* this.#tools.settled(turn, signal);
      if (signal.aborted) return;
      const wanted = effects();
      if (wanted.length > 0) return yield* this.#carryOut(turn, wanted, hasSpoken);
    }
    if (!hasSpoken) yield this.#say(turn, 'not_understood');
    if (!isLeaving) return yield LISTEN;
    this.#parts.memory.conclude({ intent: 'end_call' });
    yield* this.#end(turn, 'goodbye');
  }

  async *#ask(
    turn: HistoryTurn,
    signal: AbortSignal,
    { mayCall }: { mayCall: boolean },
  ): AsyncGenerator<DialogueOutput, { answer: Answer; spoke: boolean }> {
    let spoke = false;
    const pieces = streamAnswer(this.#request(mayCall), { ...this.#parts, signal });
    for (;;) {
      const next = await pieces.next();
      if (next.done === true) return { answer: next.value, spoke };
      if (next.value.kind === 'text') {
        spoke ||= /[\p{L}\p{N}]/u.test(next.value.text);
        this.#progress.saidFiller = false;
        this.#history.say(turn, next.value.text);
        yield { kind: 'text_delta', text: next.value.text, interruptible: true };
      } else if (!this.#progress.saidFiller) {
        this.#progress.saidFiller = true;
        this.#history.sayWaiting(turn, FILLER);
        yield { kind: 'say', text: FILLER, interruptible: true };
      }
      if (signal.aborted) {
        await pieces.return({ calls: [], failure: null });
        return { answer: { calls: [], failure: null }, spoke };
      }
    }
  }

  #request(mayCall: boolean): ModelRequest {
    const { system, settings, toolbox, call } = this.#parts;
    const tools = mayCall ? toolbox.offered : [];
    const fixedTokens = estimateTokens(system) + estimateTokens(JSON.stringify(tools));
    const messages = this.#history.messages(settings.maxContextTokens - fixedTokens);
    const { temperature, maxOutputTokens, reasoningEffort } = settings;
    return {
      system,
      messages,
      tools,
      settings: { temperature, maxOutputTokens, reasoningEffort },
      ...(call && { call: { ...call, variables: this.#parts.memory.variables } }),
    };
  }

  /** What was said stands, and the next turn asks anew; a model that says nothing ends the call, with an apology. */
  *#fail(turn: HistoryTurn, error: Error, spoke: boolean): Generator<DialogueOutput> {
    this.#parts.log.warn({ err: error }, 'the language model failed');
    this.#progress.broken += 1;
    if (spoke && this.#progress.broken < MOST_BROKEN_ANSWERS) return yield LISTEN;
    yield { kind: 'flush' };
    yield this.#words(turn, APOLOGY, false);
    yield { kind: 'end', error };
  }

  /** Does what tools ask of the talk. */
  *#carryOut(
    turn: HistoryTurn,
    effects: readonly ToolEffect[],
    hasSpoken: boolean,
  ): Generator<DialogueOutput> {
    const keys = effects.flatMap((effect) => (effect.kind === 'press' ? [effect.keys] : [])).join('');
    if (keys !== '') yield { kind: 'press', keys };
    const transfer = effects.find((effect) => effect.kind === 'transfer');
    const end = effects.find((effect) => effect.kind === 'end');
    if (transfer) {
      if (!hasSpoken) yield this.#words(turn, CONNECTING, false);
      yield { kind: 'transfer', to: transfer.to };
    } else if (end) {
      if (!hasSpoken) yield this.#say(turn, end.goodbye);
      yield { kind: 'end' };
    } else yield LISTEN;
  }

  #open(turn: HistoryTurn): DialogueOutput {
    this.#progress.hasOpened = true;
    const { initialMessage, memory } = this.#parts;
    return this.#words(turn, fillVariables(initialMessage, [memory.variables]));
  }

  *#end(turn: HistoryTurn, sentence: ControlSentence): Generator<DialogueOutput> {
    yield this.#say(turn, sentence);
    yield { kind: 'end' };
  }

  #say(turn: HistoryTurn, sentence: ControlSentence): DialogueOutput {
    return this.#words(turn, this.#parts.control.say(sentence));
  }

  #words(turn: HistoryTurn, text: string, interruptible = true): DialogueOutput {
    this.#history.say(turn, ` ${text}`);
    return { kind: 'say', text, interruptible };
  }
}

const LISTEN: DialogueOutput = { kind: 'listen', hints: { kind: 'anything' } };

/** What the agent says to wishes that leave the talk as it was. */
const SENTENCES: Readonly<Partial<Record<CallerWish, ControlSentence>>> = {
  unclear: 'not_understood',
  hold: 'hold',
  person: 'person',
  perhaps_do_not_call: 'ask_do_not_call',
};
