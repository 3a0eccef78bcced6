import type { FollowUp, Mind, Outcome } from '../thinking.js';
import type { PlaybookStep } from './playbook-step.js';
import { fillVariables } from './variables.js';

/** What one call has learnt, for texts, branches and the outcome. */
export class CallMemory {
  /** As the agent says them. */
  #variables: Record<string, string>;
  /** As the outcome keeps them. */
  #answers: Record<string, string> = {};
  #intent: string | null = null;
  #resolutionAchieved: boolean | null = null;
  #summary: string | null = null;
  #followUp: FollowUp | null = null;

  constructor(mind: Mind) {
    const known = { ...mind.variables, agent_name: mind.agentName };
    this.#variables = { ...known, initial_message: fillVariables(mind.initialMessage, known) };
  }

  fill(text: string): string {
    return fillVariables(text, this.#variables);
  }

  /** Keeps an answer: `value` for the outcome, `said` for texts. */
  learn(name: string, value: string, said: string): void {
    this.#answers[name] = value;
    this.#variables[name] = said;
  }

  /** Fills a variable of texts alone. */
  set(name: string, said: string): void {
    this.#variables[name] = said;
  }

  /** The answer of this name, else the variable; null when neither has a value. */
  valueOf(name: string): string | null {
    const held = Object.hasOwn(this.#answers, name)
      ? this.#answers[name]
      : Object.hasOwn(this.#variables, name)
        ? this.#variables[name]
        : undefined;
    return held === undefined || held.trim() === '' ? null : held;
  }

  answerTo(name: string): string | null {
    return Object.hasOwn(this.#answers, name) ? this.#answers[name]! : null;
  }

  /** The call got to a step: what it says of the call counts. */
  reach(step: PlaybookStep): void {
    this.#intent = step.intent ?? this.#intent;
    this.#resolutionAchieved = step.resolution_achieved ?? this.#resolutionAchieved;
    this.#summary = step.summary ?? this.#summary;
  }

  /** The caller wants out: that is the intent unless another was reached. */
  leave(intent: string): void {
    this.#intent ??= intent;
  }

  /** Gives back how to forget whatever is reached from now on. */
  mark(): () => void {
    const [intent, resolution, summary] = [this.#intent, this.#resolutionAchieved, this.#summary];
    return () => {
      [this.#intent, this.#resolutionAchieved, this.#summary] = [intent, resolution, summary];
    };
  }

  /** Gives back how to return to what is known now. An opt-out stands all the same. */
  bookmark(): () => void {
    const forget = this.mark();
    const [variables, answers, followUp] = [{ ...this.#variables }, { ...this.#answers }, this.#followUp];
    return () => {
      forget();
      this.#variables = variables;
      this.#answers = answers;
      if (this.#followUp?.kind !== 'suppress') this.#followUp = followUp;
    };
  }

  /** Whatever was reached before does not count: the caller was the wrong one, or wants nothing of us. */
  takeBack(): void {
    this.#resolutionAchieved = this.#summary = this.#intent = null;
  }

  /** What is to be done afterwards. An opt-out stands whatever is agreed on after it. */
  agree(followUp: FollowUp): void {
    if (this.#followUp?.kind !== 'suppress') this.#followUp = followUp;
  }

  /** @param hasPurpose whether the playbook has a notion of success at all */
  outcome(hasPurpose: boolean): Outcome {
    return {
      intent: this.#intent,
      resolutionAchieved: this.#resolutionAchieved ?? (hasPurpose ? false : null),
      answers: { ...this.#answers },
      summary: this.#summary === null ? null : this.fill(this.#summary) || null,
      ...(this.#followUp === null ? {} : { followUp: this.#followUp }),
    };
  }
}
