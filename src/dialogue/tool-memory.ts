import type { FollowUp } from './outcome.js';

/** What tools may read and change of what a call has learnt (port): a model's own memory, or that of a playbook. */
export interface ToolMemory {
  /** For templates; an answer stands as the API keeps it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Keeps an answer under its name. `isInOwnWords`: it is free speech. */
  learn(name: string, value: string, options?: { isInOwnWords?: boolean }): void;
  /** Sets variables that are no answers of the caller. */
  set(values: Readonly<Record<string, string>>): void;
  /** What the call was about, and how it ended, where that is known; what is left out stays as it was. */
  conclude(what: { intent?: string; resolutionAchieved?: boolean; summary?: string }): void;
  /** What is to be done afterwards. That no more calls are wanted stands whatever is agreed on after it. */
  agree(followUp: FollowUp): void;
  /** The caller wants no more calls. */
  forbidCalls(): void;
}
