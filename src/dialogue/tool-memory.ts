import type { FollowUp } from './outcome.js';

/** The facts of a call that tools may read and change (port): a model's own memory, or that of a playbook. */
export interface ToolMemory {
  /** For templates; an answer is in the API's form. */
  readonly variables: Readonly<Record<string, string>>;
  /** Stores an answer under its name. `isInOwnWords`: the answer is free speech. */
  learn(name: string, value: string, options?: { isInOwnWords?: boolean }): void;
  /** Sets variables that are not answers of the caller. */
  set(values: Readonly<Record<string, string>>): void;
  /** Sets the topic and the result of the call; missing parts stay as they were. */
  conclude(what: { intent?: string; resolutionAchieved?: boolean; summary?: string }): void;
  /** Sets what follows the call. A do-not-call request outlasts every later agreement. */
  agree(followUp: FollowUp): void;
  /** The caller wants no more calls. */
  forbidCalls(): void;
}
