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
import { AnsweredQuestions } from './answered.js';
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

/** How often a call may come back to a question when the playbook does not say. */
const USUAL_MAX_VISITS = 5;

/** A step that takes longer than a moment: a model talks, a tool runs, a phone menu is listened to. */
export type PerformedStep = Extract<PlaybookStep, { kind: 'talk' | 'tool' | 'press' }>;

/** Such a step, where the call stands. */
export interface Performing {
  name: string;
  step: PerformedStep;
  /** Whether the call is here for the first time. */
  isFirst: boolean;
  /** Whether the caller has said goodbye: what would be the next question becomes ours. */
  isLeaving: boolean;
}

type ClosingStep = Extract<PlaybookStep, { kind: 'end' | 'suppress' | 'call_back' }>;
type TransferStep = Extract<PlaybookStep, { kind: 'transfer' }>;

/** A transfer that was asked for, and what follows when it cannot be made. */
interface Connecting {
  target: TransferTarget;
  otherwise: string | null;
  /** Where the call goes on after a warm transfer that the agent comes back from. */
  next: string | null;
  forget(): void;
}

/** One call's way through a playbook: where it stands, what it has learnt, and what that makes the agent say. */
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

  /** The step that has to be performed before the call goes on; null where there is none. */
  get performing(): Performing | null {
    return this.#performing;
  }

  /** Gives back how to return to where the call stands now. */
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

  /** From the start; after the end, the end again. */
  begin(): DialogueOutput[] {
    if (this.#connecting) return [{ kind: 'transfer', ...this.#connecting.target }];
    return this.#ended ? this.close(this.say('goodbye')) : this.goTo(this.#playbook.start);
  }

  /**
   * From a step on, up to the next question or the end.
   * @param already what is said instead of a question whose answer is known already; null where it is not
   */
  goTo(
    name: string,
    already: (question: Question) => DialogueOutput[] | null = () => null,
  ): DialogueOutput[] {
    return this.#follow(name, (question) => already(question) ?? this.ask(question.step.text));
  }

  /** The same for a caller who has said goodbye: what would be the next question becomes our goodbye. */
  goToEnd(name: string): DialogueOutput[] {
    const leave = () => {
      this.memory.leave('goodbye');
      return this.close(this.say('goodbye'));
    };
    return this.#follow(name, leave, leave);
  }

  /** Puts the waiting question, in the words given. */
  ask(text: string): DialogueOutput[] {
    const question = this.#question;
    if (question === null) return [];
    question.pending = null;
    const interruptible = question.step.interruptible ?? true;
    return [...this.words(text, interruptible), ...this.listen()];
  }

  /** Puts the waiting question once more. Who has heard the opening message need not hear it again. */
  askAgain(): DialogueOutput[] {
    const text = this.#question?.step.text ?? '';
    const rest = text.replace(/\{\{\s*initial_message\s*(?:\|[^{}]*)?\}\}/g, ' ').trim();
    return this.ask(/[\p{L}\p{N}]/u.test(rest) ? rest : text);
  }

  /** Who calls, and why, for somebody who did not hear it; nothing where the waiting question begins with it. */
  opening(): DialogueOutput[] {
    if (this.#question?.name === this.#playbook.start) return [];
    return this.words(
      openingOf(this.#playbook, (text) => this.memory.fill(text)),
      true,
    );
  }

  /** Says the answer back, to be confirmed. */
  sayBack(value: string): DialogueOutput[] {
    const question = this.#question;
    if (question === null) return [];
    question.pending = value;
    const name = question.step.save_as ?? question.name;
    // It counts, and may be told, only once it is confirmed.
    const unconfirmed = { [name]: sayValue(value, question.step.expect, this.#surroundings()) };
    const { confirm, interruptible } = question.step;
    return [...this.words(confirm ?? '', interruptible ?? true, unconfirmed), ...this.listen()];
  }

  /** Lets the caller speak without putting the question again. */
  listen(): DialogueOutput[] {
    return this.#question === null ? [] : [{ kind: 'listen', hints: this.#expectation(this.#question) }];
  }

  /** One of the sentences that belong to no step. */
  say(sentence: keyof Wording): DialogueOutput[] {
    const own = this.#playbook.wording?.[sentence];
    return this.words(own ?? usualWording(sentence, sentencesOf(this.#surroundings())), true);
  }

  /** Changes the answer to a question that was answered before: the last one where none is named. Gives it back. */
  relearn(value: string, name = this.answered.last?.name): AskStep | null {
    const answered = this.answered.of(name);
    answered?.forget();
    this.learn(value, answered);
    return answered?.step ?? null;
  }

  /** Keeps the answer to the waiting question, or to another one. */
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
   * The transfer could not be made: it is as if its step had never been reached. One that a person has asked for leaves
   * the question as it was.
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

  /** The person whom the caller was connected with has hung up. */
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
   * Always comes to a question, to a step to perform, or to an end: saved playbooks have no circle without a question
   * or a talk, and one that was visited often enough is passed by.
   * @param onLeaving what is done in place of a talk by a caller who has said goodbye
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

  /** Counts a visit; null where the call has been there often enough. */
  #visit(name: string, step: { max_visits?: number | null | undefined }): number | null {
    const visits = (this.#visits.get(name) ?? 0) + 1;
    this.#visits.set(name, visits);
    return visits <= (step.max_visits ?? USUAL_MAX_VISITS) ? visits : null;
  }

  #perform(performing: Performing): void {
    this.#question = null;
    this.#performing = performing;
  }

  /** Does what a step that is no question does; the step after it, or null at the end. */
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

  /** Hands the caller over, where the step holds a number. A saved one holds a number, or says what to do otherwise. */
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

  /**
   * The question to go back to when the time that was named has passed ("today at ten", at noon): the one for the day.
   */
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

  /** A text as it is said; nothing where there is none. @param more values that count in this text alone */
  words(text: string, interruptible = true, more: Readonly<Record<string, string>> = {}): DialogueOutput[] {
    const filled = this.memory.fill(text, more);
    return filled === '' ? [] : [{ kind: 'say', text: filled, interruptible }];
  }
}
