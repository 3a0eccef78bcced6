import type { CallMemory } from './call-memory.js';
import type { AskStep } from '#playbook/steps/playbook-step.js';
import type { Settled } from '#playbook/understanding/retraction.js';

/** A question that was answered. `forget` takes back what was reached since, beside the answers. */
interface Answered {
  name: string;
  step: AskStep;
  forget: () => void;
}

/** The questions of one call that were answered, whose answers may still be changed. */
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

  /** The one of this name. */
  of(name: string | undefined): Answered | null {
    return this.#all.find((one) => one.name === name) ?? null;
  }

  /** Its answer is known now. */
  add(name: string, step: AskStep): void {
    const others = this.#all.filter((one) => one.name !== name);
    this.#all = [...others, { name, step, forget: this.#memory.mark() }];
  }

  /** What may be taken back while another question waits: those of yes or no, the last one first. */
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

  /** Gives back how to return to what is answered now. */
  bookmark(): () => void {
    const all = this.#all;
    return () => {
      this.#all = all;
    };
  }
}
