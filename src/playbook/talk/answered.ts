import type { CallMemory } from './call-memory.js';
import type { AskStep } from '#playbook/steps/playbook-step.js';
import type { Settled } from '#playbook/understanding/retraction.js';

/** An answered question. `forget` takes back the outcome reached since the answer. */
interface Answered {
  name: string;
  step: AskStep;
  forget: () => void;
}

/** The answered questions of one call; their answers may still change. */
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

  /** The question of this name. */
  of(name: string | undefined): Answered | null {
    return this.#all.find((one) => one.name === name) ?? null;
  }

  /** Records that a question has been answered. */
  add(name: string, step: AskStep): void {
    const others = this.#all.filter((one) => one.name !== name);
    this.#all = [...others, { name, step, forget: this.#memory.mark() }];
  }

  /**
   * The answers that the caller may take back while another question waits: those to yes/no questions, the last
   * first.
   */
  settled(waiting: string | undefined): Settled[] {
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
