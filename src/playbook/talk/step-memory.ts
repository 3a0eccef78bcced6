import type { FollowUp } from '#dialogue/outcome.js';
import type { ToolMemory } from '#dialogue/tool-memory.js';
import type { CallMemory } from './call-memory.js';

/**
 * The memory of a call as tools see it (`ToolMemory`). A turn of the agent can be taken back when the caller goes on
 * speaking, but a tool that has run cannot: its changes are recorded, and `PerformedSteps` applies them again after the
 * memory was restored.
 */
export class StepMemory implements ToolMemory {
  readonly #memory: CallMemory;
  /** The changes of this turn. */
  #changes: (() => void)[] = [];

  constructor(memory: CallMemory) {
    this.#memory = memory;
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#memory.allVariables;
  }

  /** Starts a turn. */
  beginTurn(): void {
    this.#changes = [];
  }

  /** Applies the changes of the turn again, after the turn was taken back and the memory restored. */
  reapply(): void {
    for (const change of this.#changes) change();
  }

  learn(name: string, value: string, { isInOwnWords = false, said = value } = {}): void {
    this.#change(() => this.#memory.learn(name, value, said, isInOwnWords));
  }

  set(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) this.#change(() => this.#memory.set(name, value));
  }

  conclude(parts: { intent?: string; resolutionAchieved?: boolean; summary?: string }): void {
    this.#change(() => this.#memory.conclude(parts));
  }

  agree(followUp: FollowUp): void {
    this.#change(() => this.#memory.agree(followUp));
  }

  forbidCalls(): void {
    this.#change(() => this.#memory.leave('do_not_call'));
  }

  /** Applies a change and records it. */
  #change(change: () => void): void {
    this.#changes.push(change);
    change();
  }
}
