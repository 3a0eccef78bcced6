import type { FollowUp } from '#dialogue/outcome.js';
import type { ToolMemory } from '#dialogue/tool-memory.js';
import type { CallMemory } from './call-memory.js';

/**
 * The memory of a call as tools see it. A tool that has run has run: what it has changed stays where the turn that
 * called it is taken back.
 */
export class StepMemory implements ToolMemory {
  readonly #memory: CallMemory;
  #changes: (() => void)[] = [];

  constructor(memory: CallMemory) {
    this.#memory = memory;
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#memory.kept;
  }

  /** A turn begins. */
  beginTurn(): void {
    this.#changes = [];
  }

  /** The turn was taken back, and the memory with it. */
  redo(): void {
    for (const change of this.#changes) change();
  }

  learn(name: string, value: string, { isInOwnWords = false, said = value } = {}): void {
    this.#change(() => this.#memory.learn(name, value, said, isInOwnWords));
  }

  set(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) this.#change(() => this.#memory.set(name, value));
  }

  conclude(what: { intent?: string; resolutionAchieved?: boolean; summary?: string }): void {
    this.#change(() => this.#memory.conclude(what));
  }

  agree(followUp: FollowUp): void {
    this.#change(() => this.#memory.agree(followUp));
  }

  forbidCalls(): void {
    this.#change(() => this.#memory.leave('do_not_call'));
  }

  #change(change: () => void): void {
    this.#changes.push(change);
    change();
  }
}
