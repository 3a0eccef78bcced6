import type { RecognitionHints } from '#speech/stt.js';
import {
  DEFAULT_RING_SECONDS,
  type AgentBrief,
  type DialogueOutput,
  type TransferTarget,
  type WarmTransfer,
} from '#dialogue/dialogue-manager.js';
import type { Outcome } from '#dialogue/outcome.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { companionQuestion } from '#playbook/understanding/prefilled-answer.js';
import { AnsweredQuestions } from './answered-questions.js';
import { branchTo } from './branching.js';
import { agreeOnCallBack, callBackTimeNamed, type CallBackStep } from './call-back-step.js';
import { CallMemory } from './call-memory.js';
import { openingTextOf } from '#playbook/definition/opening.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import type { AskStep, PlaybookStep } from '#playbook/steps/playbook-step.js';
import type { OpenQuestion } from './open-question.js';
import { spokenValue, answerHints, type ReadContext } from '#playbook/values/value.js';
import { standardSentences } from '#playbook/values/spoken-language.js';
import { defaultWording, type Wording } from '#playbook/steps/wording.js';

/** Default of `max_visits`. */
const DEFAULT_MAX_VISITS = 5;

/** A step that waits for something outside of the playbook: a model, a server, a phone menu. */
export type PerformedStep = Extract<PlaybookStep, { kind: 'talk' | 'tool' | 'press' }>;

/** A performed step that the call has reached. */
export interface StepVisit {
  name: string;
  step: PerformedStep;
  /** True on the first visit to a talk step; always true for tool and press steps, whose visits are not counted. */
  isFirst: boolean;
  /** True if the caller has said goodbye: instead of the next question the agent says goodbye. */
  isLeaving: boolean;
}

type ClosingStep = Extract<PlaybookStep, { kind: 'end' | 'suppress' | 'call_back' }>;
type TransferStep = Extract<PlaybookStep, { kind: 'transfer' }>;

/** A requested transfer, and the next step if it fails. */
interface RequestedTransfer {
  target: TransferTarget;
  otherwise: string | null;
  /** The next step after a warm transfer from which the agent returns. */
  next: string | null;
  /** Restores the outcome before the transfer step. */
  undoOutcome(): void;
}

/**
 * Follows one call through its playbook: it knows the open question or step, and returns the outputs up to the next
 * one. `PlaybookSession` decides by the caller's replies where the flow goes.
 */
export class PlaybookFlow {
  readonly memory: CallMemory;
  readonly answered: AnsweredQuestions;
  readonly #playbook: Playbook;
  readonly #readContext: () => ReadContext;
  #visits = new Map<string, number>();
  #question: OpenQuestion | null = null;
  #performing: StepVisit | null = null;
  #transfer: RequestedTransfer | null = null;
  #ended = false;

  constructor(brief: AgentBrief, playbook: Playbook, readContext: () => ReadContext) {
    this.memory = new CallMemory(brief);
    this.answered = new AnsweredQuestions(this.memory);
    this.#playbook = playbook;
    this.#readContext = readContext;
  }

  /** The question that waits for its answer. Null before the first, in a performed step or transfer, at the end. */
  get question(): OpenQuestion | null {
    return this.#question;
  }

  /** The step that `PerformedSteps` has to perform before the call continues; null if there is none. */
  get performing(): StepVisit | null {
    return this.#performing;
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const restores = [this.memory.bookmark(), this.answered.bookmark()];
    const [visits, question] = [new Map(this.#visits), this.#question && { ...this.#question }];
    const [transfer, ended, performing] = [this.#transfer, this.#ended, this.#performing];
    return () => {
      for (const restore of restores) restore();
      [this.#visits, this.#question, this.#performing] = [visits, question, performing];
      [this.#transfer, this.#ended] = [transfer, ended];
    };
  }

  /** Begins at the first step. A transfer in progress is requested again; after the end, the goodbye is repeated. */
  begin(): DialogueOutput[] {
    if (this.#transfer) return [{ kind: 'transfer', ...this.#transfer.target }];
    return this.#ended ? this.close(this.say('goodbye')) : this.goTo(this.#playbook.start);
  }

  /**
   * Follows the steps from `name` up to the next question or the end.
   * @param prefill returns the outputs in place of a question whose answer is already known; else null
   */
  goTo(
    name: string,
    prefill: (question: OpenQuestion) => DialogueOutput[] | null = () => null,
  ): DialogueOutput[] {
    return this.#follow(name, (question) => prefill(question) ?? this.ask(question.step.text));
  }

  /** Like `goTo`, for a caller who has said goodbye: instead of the next question the agent says goodbye. */
  goToEnd(name: string): DialogueOutput[] {
    const leave = () => {
      this.memory.leave('goodbye');
      return this.close(this.say('goodbye'));
    };
    return this.#follow(name, leave, leave);
  }

  /** Asks the open question with this text. */
  ask(text: string): DialogueOutput[] {
    const question = this.#question;
    if (question === null) return [];
    question.pending = null;
    const interruptible = question.step.interruptible ?? true;
    return [...this.words(text, interruptible), ...this.listen()];
  }

  /** Asks the open question again, without the opening message, which the caller has heard. */
  askAgain(): DialogueOutput[] {
    const text = this.#question?.step.text ?? '';
    const rest = text.replace(/\{\{\s*initial_message\s*(?:\|[^{}]*)?\}\}/g, ' ').trim();
    return this.ask(/[\p{L}\p{N}]/u.test(rest) ? rest : text);
  }

  /** Who is calling and why, for a person who has not heard it; empty if the open question includes it. */
  opening(): DialogueOutput[] {
    if (this.#question?.name === this.#playbook.start) return [];
    return this.words(
      openingTextOf(this.#playbook, (text) => this.memory.fill(text)),
      true,
    );
  }

  /** Reads an answer back, which the caller then confirms. */
  readBack(value: string): DialogueOutput[] {
    const question = this.#question;
    if (question === null) return [];
    question.pending = value;
    const name = question.step.save_as ?? question.name;
    // The value counts, and may be used in other texts, only after confirmation.
    const unconfirmed = { [name]: spokenValue(value, question.step.expect, this.#readContext()) };
    const { confirm, interruptible } = question.step;
    return [...this.words(confirm ?? '', interruptible ?? true, unconfirmed), ...this.listen()];
  }

  /** Listens without asking the question again. */
  listen(): DialogueOutput[] {
    return this.#question === null ? [] : [{ kind: 'listen', hints: this.#recognitionHints(this.#question) }];
  }

  /** Says a sentence that belongs to no step ("I did not understand"): that of the playbook, or the standard one. */
  say(sentence: keyof Wording): DialogueOutput[] {
    const text = this.#playbook.wording?.[sentence];
    return this.words(text ?? defaultWording(sentence, standardSentences(this.#readContext())), true);
  }

  /** Changes the answer to an earlier question, by default the last. Returns its step; null if there is none. */
  changeAnswer(value: string, name = this.answered.last?.name): AskStep | null {
    const answered = this.answered.ofStep(name);
    answered?.undoOutcome();
    this.learn(value, answered);
    return answered?.step ?? null;
  }

  /** Saves the answer to the open question, or to another question. */
  learn(value: string, question: { name: string; step: AskStep } | null = this.#question): void {
    if (question === null) return;
    const { name, step } = question;
    const isInOwnWords = step.expect.kind === 'anything' && !Object.hasOwn(step.answers ?? {}, value);
    const said = spokenValue(value, step.expect, this.#readContext());
    this.memory.learn(step.save_as ?? name, value, said, isInOwnWords);
    this.answered.add(name, step);
  }

  /** Ends the call after these words. */
  close(closing: DialogueOutput[]): DialogueOutput[] {
    this.#ended = true;
    this.#question = this.#performing = null;
    return [...closing, { kind: 'end' }];
  }

  /**
   * Continues after a failed transfer, whose outcome is taken back: with `otherwise` of the step, else with a goodbye.
   * If no step requested the transfer (an operator did), the open question is asked again.
   */
  transferFailed(): DialogueOutput[] {
    const transfer = this.#transfer;
    this.#transfer = null;
    transfer?.undoOutcome();
    const apology = this.say('not_connected');
    if (transfer?.otherwise) return [...apology, ...this.goTo(transfer.otherwise)];
    if (!transfer && this.#question) return [...apology, ...this.askAgain()];
    return this.close([...apology, ...this.say('goodbye')]);
  }

  /** After the person of a warm transfer (`stay`) has hung up: `next`, else the open question, else a goodbye. */
  returned(): DialogueOutput[] {
    const next = this.#transfer?.next;
    this.#transfer = null;
    if (next) return this.goTo(next);
    return this.#question ? this.askAgain() : this.close(this.say('goodbye'));
  }

  /** The outcome of the call so far. */
  outcome(): Outcome {
    return this.memory.outcome(
      Object.values(this.#playbook.steps).some((step) => typeof step.resolution_achieved === 'boolean'),
    );
  }

  /** Hints for the recogniser: answers to the open question (or its read-back), the previous one and the next one. */
  #recognitionHints({ name, step, pending }: OpenQuestion): RecognitionHints {
    const hintsFor = (question: AskStep) =>
      answerHints(question.expect, this.#readContext(), (text) => this.memory.fill(text));
    if (pending !== null) return { kind: 'yes_no', correction: hintsFor(step) };
    const earlier = this.answered.last;
    const isCorrectable =
      earlier !== null && earlier.name !== name && earlier.step.expect.kind !== 'anything';
    const companion = companionQuestion(step, this.#playbook.steps);
    return {
      ...hintsFor(step),
      ...(isCorrectable ? { correction: hintsFor(earlier.step) } : {}),
      ...(companion ? { ahead: hintsFor(companion) } : {}),
    };
  }

  /**
   * Follows steps up to a question, a step to perform, or an end. It always terminates: saved playbooks have no circle
   * without a question or a talk, and a step with too many visits is skipped.
   * @param onQuestion returns the outputs of the question that is reached
   * @param onLeaving for a caller who has said goodbye: returns the outputs in place of a talk or press step (tools
   * run)
   */
  #follow(
    from: string,
    onQuestion: (question: OpenQuestion) => DialogueOutput[],
    onLeaving: (() => DialogueOutput[]) | null = null,
  ): DialogueOutput[] {
    const outputs: DialogueOutput[] = [];
    this.#performing = null;
    let name = from;
    for (;;) {
      const step = this.#playbook.steps[name]!;
      if (step.kind === 'ask' || step.kind === 'talk') {
        const visits = this.#visit(name, step);
        if (visits === null) {
          name = step.otherwise;
          continue;
        }
        this.memory.applyOutcomeOf(step);
        if (step.kind === 'ask') {
          this.#question = { name, step, attempts: 1, pending: null, said: { texts: [], taken: [] } };
          return [...outputs, ...onQuestion(this.#question)];
        }
        if (onLeaving) return [...outputs, ...onLeaving()];
        this.#enterPerformedStep({ name, step, isFirst: visits === 1, isLeaving: false });
        return outputs;
      }
      const undoOutcome = this.memory.markOutcome();
      this.memory.applyOutcomeOf(step);
      if (step.kind === 'tool' || step.kind === 'press') {
        if (step.kind === 'press' && onLeaving) return [...outputs, ...onLeaving()];
        this.#enterPerformedStep({ name, step, isFirst: true, isLeaving: onLeaving !== null });
        return outputs;
      }
      const repeated = step.kind === 'call_back' ? this.#questionToRepeat(step) : null;
      if (repeated !== null) {
        undoOutcome();
        outputs.push(...this.say('time_passed'));
        name = repeated;
        continue;
      }
      const next =
        step.kind === 'transfer'
          ? this.#requestTransfer(step, outputs, undoOutcome)
          : this.#execute(step, outputs);
      if (next === null) return this.#transfer ? outputs : this.close(outputs);
      name = next;
    }
  }

  /** Counts a visit to a step and returns its number; null if it exceeds `max_visits`. */
  #visit(name: string, step: { max_visits?: number | null | undefined }): number | null {
    const visits = (this.#visits.get(name) ?? 0) + 1;
    this.#visits.set(name, visits);
    return visits <= (step.max_visits ?? DEFAULT_MAX_VISITS) ? visits : null;
  }

  /** Notes the step that `PerformedSteps` has to perform. */
  #enterPerformedStep(performing: StepVisit): void {
    this.#question = null;
    this.#performing = performing;
  }

  /** Executes a step that needs no reply, and adds its outputs. Returns the next step, or null at the end. */
  #execute(
    step: Exclude<PlaybookStep, AskStep | TransferStep | PerformedStep>,
    outputs: DialogueOutput[],
  ): string | null {
    switch (step.kind) {
      case 'say':
      case 'reply':
        outputs.push(...this.words(this.#textOf(step), step.interruptible ?? true));
        return step.next;
      case 'set':
        for (const [name, text] of Object.entries(step.variables))
          this.memory.set(name, this.memory.fill(text));
        return step.next;
      case 'branch':
        return branchTo(step, this.memory);
      default:
        return this.#finish(step, outputs);
    }
  }

  /**
   * Requests a transfer if the filled `to` is a phone number, and returns null. Else returns `otherwise`: the checks
   * of a saved playbook guarantee a number or an `otherwise`.
   */
  #requestTransfer(step: TransferStep, outputs: DialogueOutput[], undoOutcome: () => void): string | null {
    const to = readPhoneNumber(this.memory.fill(step.to));
    if (to === null) {
      undoOutcome();
      return step.otherwise ?? null;
    }
    this.#question = null;
    this.#performing = null;
    const target = { to, ...(step.mode === 'warm' && { warm: this.#warmTermsOf(step) }) };
    const { otherwise = null, next = null } = step;
    this.#transfer = { target, otherwise, next, undoOutcome };
    outputs.push(...this.words(step.text ?? '', false), { kind: 'transfer', ...target });
    return null;
  }

  /** The terms of a warm transfer, with its briefing filled. */
  #warmTermsOf({ briefing, ring_seconds: ringSeconds, stay }: TransferStep): WarmTransfer {
    return {
      briefing: briefing ? this.memory.fill(briefing) : null,
      ringSeconds: ringSeconds ?? DEFAULT_RING_SECONDS,
      stay: stay ?? false,
    };
  }

  /** Executes a step that ends the call. */
  #finish(step: ClosingStep, outputs: DialogueOutput[]): null {
    if (step.kind === 'suppress') this.memory.agree({ kind: 'suppress' });
    const { now } = this.#readContext();
    const instead = step.kind === 'call_back' ? agreeOnCallBack(step, this.memory, now) : null;
    outputs.push(...(instead === null ? this.words(step.text ?? '', false) : this.say(instead)));
    return null;
  }

  /**
   * The question for the day of a call-back that must be asked again, because the named time has passed ("today at
   * ten", at noon). Null if the time has not passed, or the question was asked too often.
   */
  #questionToRepeat(step: CallBackStep): string | null {
    const { now } = this.#readContext();
    const moment = callBackTimeNamed(step, this.memory, now);
    if (moment === null || moment > now) return null;
    // The wish for a call stays recorded, without a time, in case the caller hangs up at the repeated question.
    agreeOnCallBack(step, this.memory, now);
    const asked = [...this.#visits].reverse().find(([name, visits]) => {
      const question = this.#playbook.steps[name];
      return (
        question?.kind === 'ask' &&
        (question.save_as ?? name) === step.date &&
        visits < (question.max_visits ?? DEFAULT_MAX_VISITS)
      );
    });
    return asked?.[0] ?? null;
  }

  /** The text of a `say` or `reply` step; empty for an answer without a reply. */
  #textOf(step: Extract<PlaybookStep, { kind: 'say' | 'reply' }>): string {
    if (step.kind === 'say') return step.text;
    const answer = this.memory.valueOf(step.to) ?? '';
    return (Object.hasOwn(step.texts, answer) ? step.texts[answer] : step.text) ?? '';
  }

  /** A text to be spoken; empty if it has no words. @param more variables for this text only */
  words(text: string, interruptible = true, more: Readonly<Record<string, string>> = {}): DialogueOutput[] {
    const filled = this.memory.fill(text, more);
    return filled === '' ? [] : [{ kind: 'say', text: filled, interruptible }];
  }
}
