import type { CallMemory } from './call-memory.js';
import type { AskStep } from '#playbook/steps/playbook-step.js';
import type { RetractableAnswer } from '#playbook/understanding/retraction.js';

/** A question that was answered in this call. */
interface Answered {
  /** The name of the step. */
  name: string;
  step: AskStep;
  /** Restores the outcome (intent, resolution, summary) that the call had when the question was answered. */
  undoOutcome: () => void;
}

/**
 * The answered questions of one call, in the order of their answers. While a later question is open, the caller can
 * correct the last answer, and take back any answer to a yes/no question. `PlaybookFlow` owns this list.
 */
export class AnsweredQuestions {
  readonly #memory: CallMemory;
  /** Oldest answer first. */
  #all: readonly Answered[] = [];

  constructor(memory: CallMemory) {
    this.#memory = memory;
  }

  /** The question that was answered last; null if none was. */
  get last(): Answered | null {
    return this.#all.at(-1) ?? null;
  }

  /** The answered question of the step with this name; null if it was not answered. */
  ofStep(name: string | undefined): Answered | null {
    return this.#all.find((question) => question.name === name) ?? null;
  }

  /** Records that a question was answered; a repeated question moves to the end. */
  add(name: string, step: AskStep): void {
    const others = this.#all.filter((question) => question.name !== name);
    this.#all = [...others, { name, step, undoOutcome: this.#memory.markOutcome() }];
  }

  /**
   * The answers that the caller may take back during an open question: those to yes/no questions, the last answer
   * first.
   * @param waiting the name of the open question
   */
  retractable(waiting: string | undefined): RetractableAnswer[] {
    const retractable = this.#all.flatMap((question): RetractableAnswer[] => {
      const { name, step } = question;
      const value = this.#memory.answerTo(step.save_as ?? name);
      if (name === waiting || step.expect.kind !== 'yes_no' || value === null) return [];
      const asked = this.#memory.fill(step.text);
      return [{ name, asked, expectation: step.expect, value, isLast: question === this.last }];
    });
    return retractable.reverse();
  }

  /** Returns a function that restores the present list. */
  bookmark(): () => void {
    const all = this.#all;
    return () => {
      this.#all = all;
    };
  }
}
