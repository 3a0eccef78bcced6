import type { CallMemory } from './call-memory.js';
import type { AskStep } from '#playbook/steps/playbook-step.js';
import type { Settled } from '#playbook/understanding/retraction.js';

/** An answered question. */
interface Answered {
  /** The name of the step. */
  name: string;
  step: AskStep;
  /** Restores the outcome (intent, resolution, summary) that the call had when the answer was recorded. */
  forget: () => void;
}

/** The answered questions of one call. The caller can take back a yes or no while a later question is open. */
export class AnsweredQuestions {
  readonly #memory: CallMemory;
  /** In the order of their answers. */
  #all: readonly Answered[] = [];

  constructor(memory: CallMemory) {
    this.#memory = memory;
  }

  get last(): Answered | null {
    return this.#all.at(-1) ?? null;
  }

  /** The answered question of a step, by its name; null if it was not answered. */
  of(name: string | undefined): Answered | null {
    return this.#all.find((one) => one.name === name) ?? null;
  }

  /** Records that a question was answered; a repeated question moves to the end. */
  add(name: string, step: AskStep): void {
    const others = this.#all.filter((one) => one.name !== name);
    this.#all = [...others, { name, step, forget: this.#memory.mark() }];
  }

  /**
   * The answers that the caller may take back during an open question: those to yes/no questions, the last one first.
   * @param waiting the name of the open question
   */
  retractable(waiting: string | undefined): Settled[] {
    const settled = this.#all.flatMap((one): Settled[] => {
      const { name, step } = one;
      const value = this.#memory.answerTo(step.save_as ?? name);
      if (name === waiting || step.expect.kind !== 'yes_no' || value === null) return [];
      const asked = this.#memory.fill(step.text);
      return [{ name, asked, expectation: step.expect, value, isLast: one === this.last }];
    });
    return settled.reverse();
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const all = this.#all;
    return () => {
      this.#all = all;
    };
  }
}
