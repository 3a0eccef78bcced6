import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { TurnBrief, TurnResult } from '#dialogue/llm/answer-rounds.js';
import type { CallerWish } from '#dialogue/llm/caller-control.js';
import { inLanguage, systemTextOf } from '#dialogue/prompt/system-text.js';
import type { Toolbox, ToolEffect } from '#dialogue/tools/toolbox.js';
import type { TalkStep } from '#playbook/steps/talk-step.js';
import { interpret } from '#playbook/understanding/interpret.js';
import { sayValue, toAnswerable } from '#playbook/values/value.js';
import { listsOf, sentencesOf } from '#playbook/values/spoken-language.js';
import type { Transcript } from '#speech/stt.js';
import type { Unconfirmed } from './collected-answers.js';
import { optOutQuestion } from './opt-out-question.js';
import { goes, LISTEN, STAYS, type PerformingParts, type StepEnd, type StepInput } from './performing.js';
import type { Performing } from './playbook-walk.js';
import { TalkVisit } from './talk-visit.js';

const USUAL_MAX_SECONDS = 300;
/** Limit of unintelligible utterances in a row; then the step is left. */
const MOST_MISHEARD = 3;
/** Limit of broken model answers in a row; then the step is left. */
const MOST_BROKEN_ANSWERS = 2;
/** Limit of read-backs of one value. */
const MOST_READ_BACK = 3;

type Outputs = AsyncGenerator<DialogueOutput, StepEnd>;

/** State that is restored when a turn is taken back. */
interface Progress {
  visit: TalkVisit | null;
  system: string;
  turns: number;
  misheard: number;
  broken: number;
}

/**
 * Talk steps: the model converses with the caller until an exit holds. Requests that every call obeys are handled
 * before the model is asked. A talk that takes too long, or a model that fails, goes to `otherwise`.
 */
export class TalkPerformer {
  readonly #parts: PerformingParts;
  readonly #toolbox: Toolbox;
  #progress: Progress = { visit: null, system: '', turns: 0, misheard: 0, broken: 0 };
  /** The value to be confirmed at the start of the turn, and the text of a new read-back in it. */
  #waiting: Unconfirmed | null = null;
  #newReadBack: string | null = null;

  constructor(parts: PerformingParts, toolbox: Toolbox) {
    this.#parts = parts;
    this.#toolbox = toolbox;
  }

  /** What the model receives in addition to the history; null outside of talk steps. */
  get brief(): TurnBrief | null {
    const { visit, system } = this.#progress;
    const { walk, outside, surroundings } = this.#parts;
    if (visit === null || walk.performing?.name !== visit.name) return null;
    return {
      system: inLanguage(system, surroundings().language),
      toolbox: visit,
      call: { ...outside.call, variables: walk.memory.kept, step: visit.name },
      isOver: () => visit.exit() !== null,
    };
  }

  /** The brief as if the caller had said these words; null if the reply would not come from the model. */
  briefOn(words: string): TurnBrief | null {
    const { visit, turns } = this.#progress;
    if (visit === null || visit.answers.unconfirmed || turns >= visit.step.max_turns) return null;
    const { control, handedOver } = this.#parts;
    const heard = { text: words, confidence: 1 };
    const restore = [control.bookmark(), handedOver.bookmark()];
    handedOver.hear(words, control.meaningOf(heard));
    const isPassedOn = handedOver.isScreened || handedOver.isNew;
    const wish = control.hear(heard);
    for (const back of restore) back();
    return wish === null && !isPassedOn ? this.brief : null;
  }

  /** Starts a turn. */
  beginTurn(): void {
    this.#waiting = this.#progress.visit?.answers.unconfirmed ?? null;
    this.#newReadBack = null;
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const progress = { ...this.#progress };
    const goBack = [progress.visit?.bookmark(), this.#parts.thread.rounds?.bookmark()];
    return () => {
      this.#progress = progress;
      for (const back of goBack) back?.();
    };
  }

  /**
   * True if the caller has heard the read-back of the interrupted turn. Otherwise the value is dropped.
   * @param heard what was played of that turn
   */
  heardReadBack(heard: string): boolean {
    const answers = this.#progress.visit?.answers;
    if (!answers?.unconfirmed || answers.unconfirmed === this.#waiting) return true;
    const beginning = this.#newReadBack?.split(' ').slice(0, 2).join(' ');
    if (beginning !== undefined && heard.includes(beginning)) return true;
    answers.drop();
    return false;
  }

  async *perform(at: Performing & { step: TalkStep }, input: StepInput, signal: AbortSignal): Outputs {
    const { walk, control } = this.#parts;
    if (input.kind === 'reached') return yield* this.#begin(at, input.isOpening, signal);
    const visit = this.#progress.visit!;
    switch (input.kind) {
      case 'heard':
        return yield* this.#hear(input.transcript, visit, signal);
      case 'silence':
        control.silence();
        return yield* this.#speak([
          ...walk.say(input.prompts <= 1 ? 'still_there' : 'cannot_hear'),
          ...this.#back(visit),
        ]);
      case 'transfer_failed':
        return yield* this.#speak([...walk.say('not_connected'), ...this.#back(visit)]);
      case 'returned':
        return yield* this.#speak([...walk.say('returned'), ...this.#back(visit)]);
    }
  }

  async *#begin(at: Performing & { step: TalkStep }, isOpening: boolean, signal: AbortSignal): Outputs {
    const { walk, outside, surroundings, kept, thread, systemPrompt } = this.#parts;
    const { step } = at;
    if (thread.rounds === null) return goes(step.otherwise);
    const { memory } = walk;
    const beganMs = outside.clock.monotonicMs();
    const visit = new TalkVisit(at, { memory, kept, toolbox: this.#toolbox, surroundings, beganMs });
    const system = systemTextOf({ systemPrompt, step, variables: memory.kept });
    this.#progress = { visit, system, turns: 0, misheard: 0, broken: 0 };
    const text = step.text ?? (isOpening ? '{{initial_message}}' : null);
    return text === null
      ? yield* this.#answer(visit, signal)
      : yield* this.#speak([...walk.words(text), LISTEN]);
  }

  async *#hear(heard: Transcript, visit: TalkVisit, signal: AbortSignal): Outputs {
    const { control, handedOver, walk, outside, surroundings } = this.#parts;
    const progress = this.#progress;
    const meaning = control.meaningOf(heard);
    const wish = control.hear(heard);
    progress.turns += 1;
    handedOver.hear(heard.text, meaning);
    const isPassedOn =
      handedOver.isScreened ||
      (handedOver.isNew && handedOver.isGreeting(heard.text, meaning, '', listsOf(surroundings())));
    if (isPassedOn && meaning.kind !== 'leaving' && meaning.kind !== 'hold')
      return yield* this.#speak([...walk.say('who'), ...this.#back(visit)]);
    progress.misheard = wish === 'unclear' ? progress.misheard + 1 : 0;
    const end = yield* this.#follow(wish, visit);
    if (end !== null) return end;
    const { step, beganMs } = visit;
    const lastsMs = outside.clock.monotonicMs() - beganMs;
    if (progress.turns > step.max_turns || lastsMs > (step.max_seconds ?? USUAL_MAX_SECONDS) * 1_000)
      return goes(step.otherwise);
    if (visit.answers.unconfirmed) return yield* this.#hearReadBack(heard, visit, signal);
    return yield* this.#answer(visit, signal, wish === 'goodbye_after_answer');
  }

  /** Obeys a request of the caller, whatever the prompt says; null if the model should reply. */
  async *#follow(wish: CallerWish | null, visit: TalkVisit): AsyncGenerator<DialogueOutput, StepEnd | null> {
    const { walk } = this.#parts;
    switch (wish) {
      case 'do_not_call':
      case 'wrong_number':
      case 'goodbye':
        return { kind: 'leaves', reason: wish };
      case 'person':
        return yield* this.#connect(visit);
      case 'who':
        return yield* this.#speak([...walk.say('who'), ...this.#back(visit)]);
      case 'hold':
        return yield* this.#speak([...walk.say('hold'), LISTEN]);
      case 'perhaps_do_not_call':
        return yield* this.#speak(optOutQuestion(this.#parts.surroundings()));
      case 'unclear':
        if (this.#progress.misheard > MOST_MISHEARD) return goes(visit.step.otherwise);
        return yield* this.#speak([...walk.say('not_understood'), ...this.#back(visit)]);
      default:
        return null;
    }
  }

  /** Goes to the playbook's step for it, or transfers to the first destination of the transfer tool. */
  async *#connect(visit: TalkVisit): Outputs {
    const { walk, waysOut } = this.#parts;
    const way = waysOut.take('person');
    if (way !== null) return goes(way);
    if (visit.transferTo === null) return yield* this.#speak([...walk.say('person'), ...this.#back(visit)]);
    walk.memory.conclude({ intent: 'transfer' });
    return yield* this.#speak([...this.#connecting(), { kind: 'transfer', ...visit.transferTo }]);
  }

  async *#answer(visit: TalkVisit, signal: AbortSignal, isLeaving = false): Outputs {
    const { thread } = this.#parts;
    const { rounds } = thread;
    const { brief } = this;
    if (rounds === null || brief === null) return goes(visit.step.otherwise);
    visit.beginTurn();
    const result = yield* rounds.answer(thread.turn, brief, signal);
    if (result.kind === 'dropped') return STAYS;
    if (result.kind === 'failed') return yield* this.#fail(visit, result);
    this.#progress.broken = 0;
    if (isLeaving) while (visit.answers.unconfirmed) visit.answers.confirm();
    return yield* this.#goOn(visit, result, isLeaving);
  }

  /** What follows a complete answer: a read-back, an exit, or listening. */
  async *#goOn(
    visit: TalkVisit,
    { effects, spoke }: Extract<TurnResult, { kind: 'done' }>,
    isLeaving: boolean,
  ): Outputs {
    const { walk } = this.#parts;
    const keys = effects.flatMap((effect) => (effect.kind === 'press' ? [effect.keys] : [])).join('');
    if (keys !== '') yield { kind: 'press', keys };
    if (visit.answers.unconfirmed) {
      const words = this.#readBack(visit);
      this.#newReadBack = words[0]?.kind === 'say' ? words[0].text : null;
      return yield* this.#speak(words);
    }
    const exit = visit.exit();
    if (exit !== null) {
      yield { kind: 'flush' };
      return goes(exit, isLeaving);
    }
    const end = yield* this.#carryOut(effects, spoke);
    if (end !== null) return end;
    if (isLeaving) return { kind: 'leaves', reason: 'goodbye' };
    return yield* this.#speak([...(spoke || keys !== '' ? [] : walk.say('not_understood')), LISTEN]);
  }

  /** Ends or transfers the call if the model asked for that. */
  async *#carryOut(
    effects: readonly ToolEffect[],
    spoke: boolean,
  ): AsyncGenerator<DialogueOutput, StepEnd | null> {
    const { walk } = this.#parts;
    const transfer = effects.find((effect) => effect.kind === 'transfer');
    const end = effects.find((effect) => effect.kind === 'end');
    if (transfer) {
      const words = spoke ? [] : this.#connecting();
      return yield* this.#speak([...words, transfer]);
    }
    return end ? yield* this.#speak(walk.close(spoke ? [] : walk.say(end.goodbye))) : null;
  }

  #connecting(): DialogueOutput[] {
    const { walk, surroundings } = this.#parts;
    return walk.words(sentencesOf(surroundings()).connecting, false);
  }

  /** After a broken answer the next turn asks the model again; after several in a row the step is left. */
  async *#fail(visit: TalkVisit, failed: Extract<TurnResult, { kind: 'failed' }>): Outputs {
    const { error, spoke, hadAnswer } = failed;
    this.#parts.outside.log.warn({ err: error, step: visit.name }, 'the language model failed in a step');
    this.#progress.broken = hadAnswer ? 1 : this.#progress.broken + 1;
    if (spoke && this.#progress.broken < MOST_BROKEN_ANSWERS) return yield* this.#speak([LISTEN]);
    yield { kind: 'flush' };
    return goes(visit.step.otherwise);
  }

  async *#hearReadBack(heard: Transcript, visit: TalkVisit, signal: AbortSignal): Outputs {
    const { walk, surroundings, minConfidence } = this.#parts;
    const { answers } = visit;
    const { name, value, attempts } = answers.unconfirmed!;
    const meaning = interpret(heard, {
      ...surroundings(),
      expectation: answers.expectationOf(name),
      called: walk.memory.called,
      pending: value,
      minConfidence,
    });
    const isLeaving = 'leaving' in meaning && meaning.leaving === true;
    if (meaning.kind === 'answer') answers.correct(meaning.value);
    if (meaning.kind === 'confirmed' || (meaning.kind === 'answer' && isLeaving)) {
      answers.confirm();
      if (answers.unconfirmed && !isLeaving) return yield* this.#speak(this.#readBack(visit));
      const exit = visit.exit();
      return exit === null ? yield* this.#answer(visit, signal, isLeaving) : goes(exit, isLeaving);
    }
    const isOther = meaning.kind === 'denied' || meaning.kind === 'leaving' || meaning.kind === 'correction';
    if (isOther || attempts >= MOST_READ_BACK) {
      answers.drop();
      return yield* this.#answer(visit, signal);
    }
    if (meaning.kind !== 'answer') answers.askAgain();
    const isHeard = meaning.kind === 'answer' || meaning.kind === 'repeat';
    return yield* this.#speak([...(isHeard ? [] : walk.say('not_understood')), ...this.#readBack(visit)]);
  }

  /** Reads the value back to be confirmed. */
  #readBack({ answers }: TalkVisit): DialogueOutput[] {
    const { walk, surroundings } = this.#parts;
    const waiting = answers.unconfirmed;
    if (waiting === null) return [LISTEN];
    const { name, value } = waiting;
    const expectation = answers.expectationOf(name);
    const { confirm } = expectation;
    const text =
      typeof confirm === 'string'
        ? confirm
        : sentencesOf(surroundings()).is_that_right.replace('{{value}}', `{{${name}}}`);
    const said = { [name]: sayValue(value, expectation, surroundings()) };
    const correction = toAnswerable(expectation, surroundings(), (likely) => walk.memory.fill(likely));
    return [...walk.words(text, true, said), { kind: 'listen', hints: { kind: 'yes_no', correction } }];
  }

  /** Returns to the conversation: reads the unconfirmed value back again. */
  #back(visit: TalkVisit): DialogueOutput[] {
    return visit.answers.unconfirmed ? this.#readBack(visit) : [LISTEN];
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a turn without the model
  async *#speak(outputs: readonly DialogueOutput[]): AsyncGenerator<DialogueOutput, StepEnd> {
    yield* this.#parts.thread.record(outputs);
    return STAYS;
  }
}
