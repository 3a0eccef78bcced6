import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { TurnBrief, TurnResult } from '#dialogue/llm/answer-rounds.js';
import type { CallerWish } from '#dialogue/llm/caller-control.js';
import { inLanguage, systemTextOf } from '#dialogue/prompt/system-text.js';
import type { Toolbox, ToolEffect } from '#dialogue/tools/toolbox.js';
import type { TalkStep } from '#playbook/steps/talk-step.js';
import { interpret } from '#playbook/understanding/interpret.js';
import { spokenValue, answerHints } from '#playbook/values/value.js';
import { wordListLanguage, standardSentences } from '#playbook/values/spoken-language.js';
import type { Transcript } from '#speech/stt.js';
import type { Unconfirmed } from './collected-answers.js';
import { optOutQuestion } from './opt-out-question.js';
import { goTo, LISTEN, STAY, type PerformerParts, type StepEnd, type StepInput } from './step-performer.js';
import type { StepVisit } from './playbook-flow.js';
import { TalkVisit } from './talk-visit.js';

/** Default of `max_seconds`. */
const DEFAULT_MAX_SECONDS = 300;
/** Unintelligible utterances in a row that are allowed; one more leaves the step. */
const MAX_MISHEARD = 3;
/** Broken model answers in a row after which the step is left. */
const MAX_BROKEN_ANSWERS = 2;
/** The most read-backs of one value; after them it is dropped, unless confirmed. */
const MAX_READ_BACKS = 3;

/** The outputs of a turn in the step; the generator returns how the turn ends. */
type Outputs = AsyncGenerator<DialogueOutput, StepEnd>;

/** The progress of the present visit, which is restored when a turn is taken back because the caller spoke on. */
interface Progress {
  /** Null before the first talk step. */
  visit: TalkVisit | null;
  /** The system text of the model. */
  system: string;
  /** Replies of the caller. */
  turns: number;
  /** Unintelligible utterances in a row. */
  misheard: number;
  /** Broken model answers in a row. */
  broken: number;
}

/**
 * Performs talk steps: the model converses with the caller until an exit holds. Requests that every call obeys are
 * handled before the model is asked. `otherwise` follows a talk that takes too long, and a model that fails.
 */
export class TalkPerformer {
  readonly #parts: PerformerParts;
  readonly #toolbox: Toolbox;
  #progress: Progress = { visit: null, system: '', turns: 0, misheard: 0, broken: 0 };
  /** The value that waited for confirmation when the turn began. */
  #unconfirmedBefore: Unconfirmed | null = null;
  /** The text by which this turn reads a value back for the first time, for `keepHeardReadBack`. */
  #newReadBack: string | null = null;

  constructor(parts: PerformerParts, toolbox: Toolbox) {
    this.#parts = parts;
    this.#toolbox = toolbox;
  }

  /** System text, tools and facts for the model, in addition to the history; null outside of talk steps. */
  get brief(): TurnBrief | null {
    const { visit, system } = this.#progress;
    const { flow, context, readContext } = this.#parts;
    if (visit === null || flow.performing?.name !== visit.name) return null;
    return {
      system: inLanguage(system, readContext().language),
      toolbox: visit,
      call: { ...context.call, variables: flow.memory.allVariables, step: visit.name },
      isOver: () => visit.exit() !== null,
    };
  }

  /**
   * The brief for a reply that is prepared before the caller has finished; null if the model would not reply to these
   * words, for example because they are a request or a confirmation.
   */
  briefOn(words: string): TurnBrief | null {
    const { visit, turns } = this.#progress;
    if (visit === null || visit.answers.unconfirmed || turns >= visit.step.max_turns) return null;
    const { control, handover } = this.#parts;
    const heard = { text: words, confidence: 1 };
    const restores = [control.bookmark(), handover.bookmark()];
    handover.noteReply(words, control.meaningOf(heard));
    const isOtherPerson = handover.isScreening || handover.isNewPerson;
    const wish = control.hear(heard);
    for (const restore of restores) restore();
    return wish === null && !isOtherPerson ? this.brief : null;
  }

  /** Starts a turn. */
  beginTurn(): void {
    this.#unconfirmedBefore = this.#progress.visit?.answers.unconfirmed ?? null;
    this.#newReadBack = null;
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const progress = { ...this.#progress };
    const restores = [progress.visit?.bookmark(), this.#parts.session.rounds?.bookmark()];
    return () => {
      this.#progress = progress;
      for (const restore of restores) restore?.();
    };
  }

  /**
   * Keeps a new value if the caller heard the beginning of its read-back before interrupting the turn, else drops it.
   * True unless a value was dropped.
   * @param heard what was played of that turn
   */
  keepHeardReadBack(heard: string): boolean {
    const answers = this.#progress.visit?.answers;
    if (!answers?.unconfirmed || answers.unconfirmed === this.#unconfirmedBefore) return true;
    const beginning = this.#newReadBack?.split(' ').slice(0, 2).join(' ');
    if (beginning !== undefined && heard.includes(beginning)) return true;
    answers.dropUnconfirmed();
    return false;
  }

  /** Handles one event of a talk step. */
  async *perform(at: StepVisit & { step: TalkStep }, input: StepInput, signal: AbortSignal): Outputs {
    const { flow, control } = this.#parts;
    if (input.kind === 'reached') return yield* this.#begin(at, input.isOpening, signal);
    const visit = this.#progress.visit!;
    switch (input.kind) {
      case 'heard':
        return yield* this.#handleReply(input.transcript, visit, signal);
      case 'silence':
        control.silence();
        return yield* this.#speak([
          ...flow.say(input.prompts <= 1 ? 'still_there' : 'cannot_hear'),
          ...this.#resume(visit),
        ]);
      case 'transfer_failed':
        return yield* this.#speak([...flow.say('not_connected'), ...this.#resume(visit)]);
      case 'returned':
        return yield* this.#speak([...flow.say('returned'), ...this.#resume(visit)]);
    }
  }

  /** Begins a visit: says the text of the step, or lets the model speak first. */
  async *#begin(at: StepVisit & { step: TalkStep }, isOpening: boolean, signal: AbortSignal): Outputs {
    const { flow, context, readContext, toolMemory, session, systemPrompt } = this.#parts;
    const { step } = at;
    // Without a model the step cannot be performed.
    if (session.rounds === null) return goTo(step.otherwise);
    const { memory } = flow;
    const beganMs = context.clock.monotonicMs();
    const visit = new TalkVisit(at, { memory, toolMemory, toolbox: this.#toolbox, readContext, beganMs });
    const system = systemTextOf({ systemPrompt, step, variables: memory.allVariables });
    this.#progress = { visit, system, turns: 0, misheard: 0, broken: 0 };
    const text = step.text ?? (isOpening ? '{{initial_message}}' : null);
    return text === null
      ? yield* this.#letModelReply(visit, signal)
      : yield* this.#speak([...flow.words(text), LISTEN]);
  }

  /** Handles an utterance: a request, a read-back to confirm, or words for the model. */
  async *#handleReply(heard: Transcript, visit: TalkVisit, signal: AbortSignal): Outputs {
    const { control, handover, flow, context, readContext } = this.#parts;
    const progress = this.#progress;
    const meaning = control.meaningOf(heard);
    const wish = control.hear(heard);
    progress.turns += 1;
    handover.noteReply(heard.text, meaning);
    const isOtherPerson =
      handover.isScreening ||
      (handover.isNewPerson && handover.isGreeting(heard.text, meaning, '', wordListLanguage(readContext())));
    // A possible opt-out, and the answer to the question about it, come before the words about who is calling.
    const mayLeave =
      meaning.kind === 'leaving' ||
      wish === 'perhaps_do_not_call' ||
      wish === 'do_not_call' ||
      wish === 'goodbye';
    if (isOtherPerson && !mayLeave && meaning.kind !== 'hold')
      return yield* this.#speak([...flow.say('who'), ...this.#resume(visit)]);
    progress.misheard = wish === 'unclear' ? progress.misheard + 1 : 0;
    const end = yield* this.#obey(wish, visit);
    if (end !== null) return end;
    const { step, beganMs } = visit;
    const elapsedMs = context.clock.monotonicMs() - beganMs;
    if (progress.turns > step.max_turns || elapsedMs > (step.max_seconds ?? DEFAULT_MAX_SECONDS) * 1_000)
      return goTo(step.otherwise);
    if (visit.answers.unconfirmed) return yield* this.#handleReadBackReply(heard, visit, signal);
    return yield* this.#letModelReply(visit, signal, wish === 'goodbye_after_answer');
  }

  /**
   * Obeys a request of the caller, which no prompt can overrule. Null if there is none, or if the model replies before
   * the goodbye.
   */
  async *#obey(wish: CallerWish | null, visit: TalkVisit): AsyncGenerator<DialogueOutput, StepEnd | null> {
    const { flow } = this.#parts;
    switch (wish) {
      case 'do_not_call':
      case 'wrong_number':
      case 'goodbye':
        return { kind: 'leaves', reason: wish };
      case 'person':
        return yield* this.#transferToPerson(visit);
      case 'who':
        return yield* this.#speak([...flow.say('who'), ...this.#resume(visit)]);
      case 'hold':
        return yield* this.#speak([...flow.say('hold'), LISTEN]);
      case 'perhaps_do_not_call':
        return yield* this.#speak(optOutQuestion(this.#parts.readContext()));
      case 'unclear':
        if (this.#progress.misheard > MAX_MISHEARD) return goTo(visit.step.otherwise);
        return yield* this.#speak([...flow.say('not_understood'), ...this.#resume(visit)]);
      default:
        return null;
    }
  }

  /** For a caller who asks for a person: the `anywhere` step of the playbook, else a transfer by the transfer tool. */
  async *#transferToPerson(visit: TalkVisit): Outputs {
    const { flow, anywhere } = this.#parts;
    const personStep = anywhere.take('person');
    if (personStep !== null) return goTo(personStep);
    if (visit.transferTo === null) return yield* this.#speak([...flow.say('person'), ...this.#resume(visit)]);
    flow.memory.conclude({ intent: 'transfer' });
    return yield* this.#speak([...this.#connecting(), { kind: 'transfer', ...visit.transferTo }]);
  }

  /** Lets the model reply. */
  async *#letModelReply(visit: TalkVisit, signal: AbortSignal, isLeaving = false): Outputs {
    const { session } = this.#parts;
    const { rounds } = session;
    const { brief } = this;
    if (rounds === null || brief === null) return goTo(visit.step.otherwise);
    visit.beginTurn();
    const result = yield* rounds.answer(session.turn, brief, signal);
    if (result.kind === 'dropped') return STAY;
    if (result.kind === 'failed') return yield* this.#afterFailure(visit, result);
    this.#progress.broken = 0;
    // A caller who is leaving hears no read-back: values are saved as understood.
    if (isLeaving) while (visit.answers.unconfirmed) visit.answers.confirm();
    return yield* this.#afterAnswer(visit, result, isLeaving);
  }

  /**
   * Continues after a complete answer of the model: with a read-back, an exit, an effect of a tool, or by listening.
   */
  async *#afterAnswer(
    visit: TalkVisit,
    { effects, spoke }: Extract<TurnResult, { kind: 'done' }>,
    isLeaving: boolean,
  ): Outputs {
    const { flow } = this.#parts;
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
      return goTo(exit, isLeaving);
    }
    const end = yield* this.#applyEffects(effects, spoke);
    if (end !== null) return end;
    if (isLeaving) return { kind: 'leaves', reason: 'goodbye' };
    return yield* this.#speak([...(spoke || keys !== '' ? [] : flow.say('not_understood')), LISTEN]);
  }

  /** Ends or transfers the call if a tool call of the model asked for that; else null. */
  async *#applyEffects(
    effects: readonly ToolEffect[],
    spoke: boolean,
  ): AsyncGenerator<DialogueOutput, StepEnd | null> {
    const { flow } = this.#parts;
    const transfer = effects.find((effect) => effect.kind === 'transfer');
    const end = effects.find((effect) => effect.kind === 'end');
    if (transfer) {
      const words = spoke ? [] : this.#connecting();
      return yield* this.#speak([...words, transfer]);
    }
    return end ? yield* this.#speak(flow.close(spoke ? [] : flow.say(end.goodbye))) : null;
  }

  /** The sentence before a transfer; it cannot be interrupted. */
  #connecting(): DialogueOutput[] {
    const { flow, readContext } = this.#parts;
    return flow.words(standardSentences(readContext()).connecting, false);
  }

  /**
   * After an answer that broke off while it was spoken, the next turn asks the model again. The step is left after
   * several of these in a row, and after an answer that failed before its first word.
   */
  async *#afterFailure(visit: TalkVisit, failed: Extract<TurnResult, { kind: 'failed' }>): Outputs {
    const { error, spoke, hadAnswer } = failed;
    this.#parts.context.log.warn({ err: error, step: visit.name }, 'the language model failed in a step');
    // A complete answer earlier in this turn has ended the row of broken ones.
    this.#progress.broken = hadAnswer ? 1 : this.#progress.broken + 1;
    if (spoke && this.#progress.broken < MAX_BROKEN_ANSWERS) return yield* this.#speak([LISTEN]);
    yield { kind: 'flush' };
    return goTo(visit.step.otherwise);
  }

  /**
   * Handles the reply to a read-back. If a value is denied, or was read back too often, all unconfirmed values are
   * dropped.
   */
  async *#handleReadBackReply(heard: Transcript, visit: TalkVisit, signal: AbortSignal): Outputs {
    const { flow, readContext, minConfidence } = this.#parts;
    const { answers } = visit;
    const { name, value, attempts } = answers.unconfirmed!;
    const meaning = interpret(heard, {
      ...readContext(),
      expectation: answers.expectationOf(name),
      callee: flow.memory.callee,
      pending: value,
      minConfidence,
    });
    const isLeaving = 'leaving' in meaning && meaning.leaving === true;
    if (meaning.kind === 'answer') answers.correct(meaning.value);
    if (meaning.kind === 'confirmed' || (meaning.kind === 'answer' && isLeaving)) {
      answers.confirm();
      if (answers.unconfirmed && !isLeaving) return yield* this.#speak(this.#readBack(visit));
      const exit = visit.exit();
      return exit === null ? yield* this.#letModelReply(visit, signal, isLeaving) : goTo(exit, isLeaving);
    }
    const isRejected =
      meaning.kind === 'denied' || meaning.kind === 'leaving' || meaning.kind === 'correction';
    if (isRejected || attempts >= MAX_READ_BACKS) {
      answers.dropUnconfirmed();
      return yield* this.#letModelReply(visit, signal);
    }
    if (meaning.kind !== 'answer') answers.countReadBack();
    const isUnderstood = meaning.kind === 'answer' || meaning.kind === 'repeat';
    return yield* this.#speak([
      ...(isUnderstood ? [] : flow.say('not_understood')),
      ...this.#readBack(visit),
    ]);
  }

  /** Reads the value back to be confirmed. */
  #readBack({ answers }: TalkVisit): DialogueOutput[] {
    const { flow, readContext } = this.#parts;
    const { unconfirmed } = answers;
    if (unconfirmed === null) return [LISTEN];
    const { name, value } = unconfirmed;
    const expectation = answers.expectationOf(name);
    const { confirm } = expectation;
    const text =
      typeof confirm === 'string'
        ? confirm
        : standardSentences(readContext()).is_that_right.replace('{{value}}', `{{${name}}}`);
    const said = { [name]: spokenValue(value, expectation, readContext()) };
    const correction = answerHints(expectation, readContext(), (likely) => flow.memory.fill(likely));
    return [...flow.words(text, true, said), { kind: 'listen', hints: { kind: 'yes_no', correction } }];
  }

  /** After a sentence in between, such as "who is calling": reads the unconfirmed value back again, or listens. */
  #resume(visit: TalkVisit): DialogueOutput[] {
    return visit.answers.unconfirmed ? this.#readBack(visit) : [LISTEN];
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a turn without the model
  async *#speak(outputs: readonly DialogueOutput[]): AsyncGenerator<DialogueOutput, StepEnd> {
    yield* this.#parts.session.record(outputs);
    return STAY;
  }
}
