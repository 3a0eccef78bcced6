import type { RecognitionHints } from '#speech/stt.js';
import {
  USUAL_RING_SECONDS,
  type AgentBrief,
  type DialogueOutput,
  type TransferTarget,
  type WarmTransfer,
} from '#dialogue/dialogue-manager.js';
import type { Outcome } from '#dialogue/outcome.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { otherHalf } from '#playbook/understanding/ahead.js';
import { AnsweredQuestions } from './answered-questions.js';
import { branchTo } from './branching.js';
import { agreeOnCallBack, momentNamed, type CallBackStep } from './call-back-step.js';
import { CallMemory } from './call-memory.js';
import { openingOf } from '#playbook/book/opening.js';
import type { Playbook } from '#playbook/book/playbook.js';
import type { AskStep, PlaybookStep } from '#playbook/steps/playbook-step.js';
import type { Question } from './asking.js';
import { sayValue, toAnswerable, type Surroundings } from '#playbook/values/value.js';
import { sentencesOf } from '#playbook/values/spoken-language.js';
import { usualWording, type Wording } from '#playbook/steps/wording.js';

/** Default of `max_visits`. */
const USUAL_MAX_VISITS = 5;

/** A step that takes long: a model talks, a tool runs, a phone menu is awaited. */
export type PerformedStep = Extract<PlaybookStep, { kind: 'talk' | 'tool' | 'press' }>;

/** Such a step as the present position of the call. */
export interface Performing {
  name: string;
  step: PerformedStep;
  /** True on the first visit. */
  isFirst: boolean;
  /** True if the caller has said goodbye: instead of the next question the agent says goodbye. */
  isLeaving: boolean;
}

type ClosingStep = Extract<PlaybookStep, { kind: 'end' | 'suppress' | 'call_back' }>;
type TransferStep = Extract<PlaybookStep, { kind: 'transfer' }>;

/** A requested transfer, and the next step if it fails. */
interface Connecting {
  target: TransferTarget;
  otherwise: string | null;
  /** The next step after a warm transfer from which the agent returns. */
  next: string | null;
  forget(): void;
}

/** The path of one call through a playbook: its position, its memory, and the texts that follow. */
export class PlaybookWalk {
  readonly memory: CallMemory;
  readonly answered: AnsweredQuestions;
  readonly #playbook: Playbook;
  readonly #surroundings: () => Surroundings;
  #visits = new Map<string, number>();
  #question: Question | null = null;
  #performing: Performing | null = null;
  #connecting: Connecting | null = null;
  #ended = false;

  constructor(brief: AgentBrief, playbook: Playbook, surroundings: () => Surroundings) {
    this.memory = new CallMemory(brief);
    this.answered = new AnsweredQuestions(this.memory);
    this.#playbook = playbook;
    this.#surroundings = surroundings;
  }

  /** The question that waits for its answer; null before the first one and after the end. */
  get question(): Question | null {
    return this.#question;
  }

  /** The step to be performed before the call continues; null if there is none. */
  get performing(): Performing | null {
    return this.#performing;
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const goBack = [this.memory.bookmark(), this.answered.bookmark()];
    const [visits, question] = [new Map(this.#visits), this.#question && { ...this.#question }];
    const [connecting, ended, performing] = [this.#connecting, this.#ended, this.#performing];
    return () => {
      for (const remember of goBack) remember();
      [this.#visits, this.#question, this.#performing] = [visits, question, performing];
      [this.#connecting, this.#ended] = [connecting, ended];
    };
  }

  /** Begins at the start; after the end, repeats the end. */
  begin(): DialogueOutput[] {
    if (this.#connecting) return [{ kind: 'transfer', ...this.#connecting.target }];
    return this.#ended ? this.close(this.say('goodbye')) : this.goTo(this.#playbook.start);
  }

  /**
   * Follows the steps from `name` up to the next question or the end.
   * @param already returns what to say instead of a question whose answer is already known, else null
   */
  goTo(
    name: string,
    already: (question: Question) => DialogueOutput[] | null = () => null,
  ): DialogueOutput[] {
    return this.#follow(name, (question) => already(question) ?? this.ask(question.step.text));
  }

  /** Like `goTo`, for a caller who has said goodbye: instead of the next question the agent says goodbye. */
  goToEnd(name: string): DialogueOutput[] {
    const leave = () => {
      this.memory.leave('goodbye');
      return this.close(this.say('goodbye'));
    };
    return this.#follow(name, leave, leave);
  }

  /** Asks the waiting question with this text. */
  ask(text: string): DialogueOutput[] {
    const question = this.#question;
    if (question === null) return [];
    question.pending = null;
    const interruptible = question.step.interruptible ?? true;
    return [...this.words(text, interruptible), ...this.listen()];
  }

  /** Asks the waiting question again, without the opening message, which the caller has heard. */
  askAgain(): DialogueOutput[] {
    const text = this.#question?.step.text ?? '';
    const rest = text.replace(/\{\{\s*initial_message\s*(?:\|[^{}]*)?\}\}/g, ' ').trim();
    return this.ask(/[\p{L}\p{N}]/u.test(rest) ? rest : text);
  }

  /** Who is calling and why, for a person who has not heard it; empty if the waiting question includes it. */
  opening(): DialogueOutput[] {
    if (this.#question?.name === this.#playbook.start) return [];
    return this.words(
      openingOf(this.#playbook, (text) => this.memory.fill(text)),
      true,
    );
  }

  /** Reads an answer back to be confirmed. */
  sayBack(value: string): DialogueOutput[] {
    const question = this.#question;
    if (question === null) return [];
    question.pending = value;
    const name = question.step.save_as ?? question.name;
    // The value counts, and may be used in other texts, only after confirmation.
    const unconfirmed = { [name]: sayValue(value, question.step.expect, this.#surroundings()) };
    const { confirm, interruptible } = question.step;
    return [...this.words(confirm ?? '', interruptible ?? true, unconfirmed), ...this.listen()];
  }

  /** Listens without asking the question again. */
  listen(): DialogueOutput[] {
    return this.#question === null ? [] : [{ kind: 'listen', hints: this.#expectation(this.#question) }];
  }

  /** A sentence that belongs to no step. */
  say(sentence: keyof Wording): DialogueOutput[] {
    const own = this.#playbook.wording?.[sentence];
    return this.words(own ?? usualWording(sentence, sentencesOf(this.#surroundings())), true);
  }

  /** Changes the answer to an earlier question, by default the last one. Returns the step of that question. */
  relearn(value: string, name = this.answered.last?.name): AskStep | null {
    const answered = this.answered.of(name);
    answered?.forget();
    this.learn(value, answered);
    return answered?.step ?? null;
  }

  /** Saves the answer to the waiting question, or to another one. */
  learn(value: string, question: { name: string; step: AskStep } | null = this.#question): void {
    if (question === null) return;
    const { name, step } = question;
    const isInOwnWords = step.expect.kind === 'anything' && !Object.hasOwn(step.answers ?? {}, value);
    const said = sayValue(value, step.expect, this.#surroundings());
    this.memory.learn(step.save_as ?? name, value, said, isInOwnWords);
    this.answered.add(name, step);
  }

  /** Ends the call with these words. */
  close(closing: DialogueOutput[]): DialogueOutput[] {
    this.#ended = true;
    this.#question = this.#performing = null;
    return [...closing, { kind: 'end' }];
  }

  /**
   * The transfer failed: the outcome of its step is taken back. If the caller asked for the person at a question, the
   * question is asked again.
   */
  notConnected(): DialogueOutput[] {
    const connecting = this.#connecting;
    this.#connecting = null;
    connecting?.forget();
    const regret = this.say('not_connected');
    if (connecting?.otherwise) return [...regret, ...this.goTo(connecting.otherwise)];
    if (!connecting && this.#question) return [...regret, ...this.askAgain()];
    return this.close([...regret, ...this.say('goodbye')]);
  }

  /** The person of a warm transfer has hung up, and the agent is back. */
  returned(): DialogueOutput[] {
    const next = this.#connecting?.next;
    this.#connecting = null;
    if (next) return this.goTo(next);
    return this.#question ? this.askAgain() : this.close(this.say('goodbye'));
  }

  outcome(): Outcome {
    return this.memory.outcome(
      Object.values(this.#playbook.steps).some((step) => typeof step.resolution_achieved === 'boolean'),
    );
  }

  #expectation({ name, step, pending }: Question): RecognitionHints {
    const toHear = (question: AskStep) =>
      toAnswerable(question.expect, this.#surroundings(), (text) => this.memory.fill(text));
    if (pending !== null) return { kind: 'yes_no', correction: toHear(step) };
    const earlier = this.answered.last;
    const isCorrectable =
      earlier !== null && earlier.name !== name && earlier.step.expect.kind !== 'anything';
    const other = otherHalf(step, this.#playbook.steps);
    return {
      ...toHear(step),
      ...(isCorrectable ? { correction: toHear(earlier.step) } : {}),
      ...(other ? { ahead: toHear(other) } : {}),
    };
  }

  /**
   * Follows steps up to a question, a step to perform, or an end. It always terminates: saved playbooks have no
   * circle without a question or a talk, and a step with too many visits is skipped.
   * @param onLeaving replaces a talk for a caller who has said goodbye
   */
  #follow(
    from: string,
    onQuestion: (question: Question) => DialogueOutput[],
    onLeaving: (() => DialogueOutput[]) | null = null,
  ): DialogueOutput[] {
    const thoughts: DialogueOutput[] = [];
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
        this.memory.reach(step);
        if (step.kind === 'ask') {
          this.#question = { name, step, attempts: 1, pending: null, said: { texts: [], taken: [] } };
          return [...thoughts, ...onQuestion(this.#question)];
        }
        if (onLeaving) return [...thoughts, ...onLeaving()];
        this.#perform({ name, step, isFirst: visits === 1, isLeaving: false });
        return thoughts;
      }
      const forget = this.memory.mark();
      this.memory.reach(step);
      if (step.kind === 'tool' || step.kind === 'press') {
        if (step.kind === 'press' && onLeaving) return [...thoughts, ...onLeaving()];
        this.#perform({ name, step, isFirst: true, isLeaving: onLeaving !== null });
        return thoughts;
      }
      const again = step.kind === 'call_back' ? this.#questionAgain(step) : null;
      if (again !== null) {
        forget();
        thoughts.push(...this.say('time_passed'));
        name = again;
        continue;
      }
      const next =
        step.kind === 'transfer' ? this.#connect(step, thoughts, forget) : this.#pass(step, thoughts);
      if (next === null) return this.#connecting ? thoughts : this.close(thoughts);
      name = next;
    }
  }

  /** Counts a visit; null after `max_visits` visits. */
  #visit(name: string, step: { max_visits?: number | null | undefined }): number | null {
    const visits = (this.#visits.get(name) ?? 0) + 1;
    this.#visits.set(name, visits);
    return visits <= (step.max_visits ?? USUAL_MAX_VISITS) ? visits : null;
  }

  #perform(performing: Performing): void {
    this.#question = null;
    this.#performing = performing;
  }

  /** Executes a step other than a question; returns the next step, or null at the end. */
  #pass(
    step: Exclude<PlaybookStep, AskStep | TransferStep | PerformedStep>,
    thoughts: DialogueOutput[],
  ): string | null {
    switch (step.kind) {
      case 'say':
      case 'reply':
        thoughts.push(...this.words(this.#textOf(step), step.interruptible ?? true));
        return step.next;
      case 'set':
        for (const [name, text] of Object.entries(step.variables))
          this.memory.set(name, this.memory.fill(text));
        return step.next;
      case 'branch':
        return branchTo(step, this.memory);
      default:
        return this.#finish(step, thoughts);
    }
  }

  /** Transfers the caller if the filled `to` is a phone number. A saved step has a number or an `otherwise`. */
  #connect(step: TransferStep, thoughts: DialogueOutput[], forget: () => void): string | null {
    const to = readPhoneNumber(this.memory.fill(step.to));
    if (to === null) {
      forget();
      return step.otherwise ?? null;
    }
    this.#question = null;
    this.#performing = null;
    const target = { to, ...(step.mode === 'warm' && { warm: this.#warm(step) }) };
    const { otherwise = null, next = null } = step;
    this.#connecting = { target, otherwise, next, forget };
    thoughts.push(...this.words(step.text ?? '', false), { kind: 'transfer', ...target });
    return null;
  }

  #warm({ briefing, ring_seconds: ringSeconds, stay }: TransferStep): WarmTransfer {
    return {
      briefing: briefing ? this.memory.fill(briefing) : null,
      ringSeconds: ringSeconds ?? USUAL_RING_SECONDS,
      stay: stay ?? false,
    };
  }

  #finish(step: ClosingStep, thoughts: DialogueOutput[]): null {
    if (step.kind === 'suppress') this.memory.agree({ kind: 'suppress' });
    const { now } = this.#surroundings();
    const instead = step.kind === 'call_back' ? agreeOnCallBack(step, this.memory, now) : null;
    thoughts.push(...(instead === null ? this.words(step.text ?? '', false) : this.say(instead)));
    return null;
  }

  /** The question for the day, to be asked again because the named time has passed ("today at ten", at noon). */
  #questionAgain(step: CallBackStep): string | null {
    const { now } = this.#surroundings();
    const moment = momentNamed(step, this.memory, now);
    if (moment === null || moment > now) return null;
    agreeOnCallBack(step, this.memory, now);
    const put = [...this.#visits].reverse().find(([name, visits]) => {
      const question = this.#playbook.steps[name];
      return (
        question?.kind === 'ask' &&
        (question.save_as ?? name) === step.date &&
        visits < (question.max_visits ?? USUAL_MAX_VISITS)
      );
    });
    return put?.[0] ?? null;
  }

  #textOf(step: Extract<PlaybookStep, { kind: 'say' | 'reply' }>): string {
    if (step.kind === 'say') return step.text;
    const answer = this.memory.valueOf(step.to) ?? '';
    return (Object.hasOwn(step.texts, answer) ? step.texts[answer] : step.text) ?? '';
  }

  /**
   * A text to be spoken; empty if it has no words.
   * @param more variables for this text only
   */
  words(text: string, interruptible = true, more: Readonly<Record<string, string>> = {}): DialogueOutput[] {
    const filled = this.memory.fill(text, more);
    return filled === '' ? [] : [{ kind: 'say', text: filled, interruptible }];
  }
}
