import type { FollowUp, Outcome } from './outcome.js';

/** What a call with a model has learnt and agreed on, for its outcome and for texts. */
export class TalkMemory {
  readonly variables: Record<string, string>;
  readonly #answers: Record<string, string> = {};
  readonly #inOwnWords = new Set<string>();
  #intent: string | null = null;
  #resolutionAchieved: boolean | null = null;
  #summary: string | null = null;
  #followUp: FollowUp | null = null;

  constructor(variables: Readonly<Record<string, string>>) {
    this.variables = { ...variables };
  }

  /** Keeps an answer under its name. `isInOwnWords`: it is free speech. */
  learn(name: string, value: string, { isInOwnWords = false } = {}): void {
    this.#answers[name] = this.variables[name] = value;
    if (isInOwnWords) this.#inOwnWords.add(name);
    else this.#inOwnWords.delete(name);
  }

  /** What the call was about, and how it ended, where that is known; what is left out stays as it was. */
  conclude(what: { intent?: string; resolutionAchieved?: boolean; summary?: string }): void {
    this.#intent = what.intent ?? this.#intent;
    this.#resolutionAchieved = what.resolutionAchieved ?? this.#resolutionAchieved;
    this.#summary = what.summary ?? this.#summary;
  }

  /** What is to be done afterwards. That no more calls are wanted stands whatever is agreed on after it. */
  agree(followUp: FollowUp): void {
    if (this.#followUp?.kind !== 'suppress') this.#followUp = followUp;
  }

  /** The caller wants no more calls. */
  forbidCalls(): void {
    this.agree({ kind: 'suppress' });
    this.conclude({ intent: 'do_not_call', summary: 'The customer does not want to be called again.' });
  }

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
