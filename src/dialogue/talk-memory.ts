import type { FollowUp, Outcome } from './outcome.js';
import type { ToolMemory } from './tool-memory.js';

/**
 * The answers and agreements that a model's tools have noted in one call: variables for the agent's texts, and the
 * outcome of the call. Used by `ModelDialogue` and `RealtimeDialogue`; {@link ToolMemory} describes the methods.
 */
export class TalkMemory implements ToolMemory {
  readonly variables: Record<string, string>;
  readonly #answers: Record<string, string> = {};
  /** The names of the answers that are free speech of the caller. */
  readonly #inOwnWords = new Set<string>();
  #intent: string | null = null;
  #resolutionAchieved: boolean | null = null;
  #summary: string | null = null;
  #followUp: FollowUp | null = null;

  constructor(variables: Readonly<Record<string, string>>) {
    this.variables = { ...variables };
  }

  learn(name: string, value: string, { isInOwnWords = false } = {}): void {
    this.#answers[name] = this.variables[name] = value;
    if (isInOwnWords) this.#inOwnWords.add(name);
    else this.#inOwnWords.delete(name);
  }

  set(values: Readonly<Record<string, string>>): void {
    Object.assign(this.variables, values);
  }

  conclude(conclusion: { intent?: string; resolutionAchieved?: boolean; summary?: string }): void {
    this.#intent = conclusion.intent ?? this.#intent;
    this.#resolutionAchieved = conclusion.resolutionAchieved ?? this.#resolutionAchieved;
    this.#summary = conclusion.summary ?? this.#summary;
  }

  agree(followUp: FollowUp): void {
    // Nothing replaces a wish for no more calls.
    if (this.#followUp?.kind !== 'suppress') this.#followUp = followUp;
  }

  forbidCalls(): void {
    this.agree({ kind: 'suppress' });
    this.conclude({ intent: 'do_not_call', summary: 'The customer does not want to be called again.' });
  }

  /** The outcome of the call so far. `said`, the answers as the agent says them, holds the stored texts. */
  outcome(): Outcome {
    return {
      intent: this.#intent,
      resolutionAchieved: this.#resolutionAchieved,
      answers: { ...this.#answers },
      said: { ...this.#answers },
      inOwnWords: [...this.#inOwnWords],
      summary: this.#summary,
      ...(this.#followUp === null ? {} : { followUp: this.#followUp }),
    };
  }
}
