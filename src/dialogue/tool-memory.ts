import type { FollowUp } from './outcome.js';

/**
 * The facts of a call that tools read and change (port). `TalkMemory` implements it for agents with a model only; a
 * playbook has its own.
 */
export interface ToolMemory {
  /** Values for templates, answers included; a date, for example, is in the form of the API. */
  readonly variables: Readonly<Record<string, string>>;
  /** Stores an answer under its name. `isInOwnWords`: the answer is free speech. */
  learn(name: string, value: string, options?: { isInOwnWords?: boolean }): void;
  /** Sets variables that are not answers of the caller. */
  set(values: Readonly<Record<string, string>>): void;
  /** Sets intent, result and summary of the call; missing parts stay as they were. */
  conclude(conclusion: { intent?: string; resolutionAchieved?: boolean; summary?: string }): void;
  /** Sets what follows the call. A do-not-call request outlasts every later agreement. */
  agree(followUp: FollowUp): void;
  /** The caller wants no more calls. */
  forbidCalls(): void;
}
