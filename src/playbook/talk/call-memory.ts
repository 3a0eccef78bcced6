import type { AgentBrief } from '#dialogue/dialogue-manager.js';
import type { FollowUp, Outcome } from '#dialogue/outcome.js';
import type { PlaybookStep } from '#playbook/steps/playbook-step.js';
import type { LeaveReason } from '#playbook/understanding/requests.js';
import {
  cutValue,
  fillVariables,
  ValueAllowance,
  variablesWithoutDefault,
  type Variables,
} from '#dialogue/variables.js';

/** Intent and summary of calls that the caller ends, by the reason. */
const LEAVING: Record<LeaveReason, { intent: string; summary: string }> = {
  goodbye: { intent: 'end_call', summary: 'The customer said goodbye.' },
  later: { intent: 'call_back_later', summary: 'The customer wants to be called another time.' },
  do_not_call: { intent: 'do_not_call', summary: 'The customer does not want to be called again.' },
  wrong_number: { intent: 'wrong_number', summary: 'The customer said that it was the wrong number.' },
};
const CALL_BACK_SUMMARY = 'The customer wants to be called {{call_back_at}}.';

/** Variables that may hold the name of the callee. */
const CALLEE_NAME_VARIABLES = [
  '',
  'first_',
  'last_',
  'full_',
  'customer_',
  'patient_',
  'client_',
  'guest_',
  'contact_',
].map((whose) => `${whose}name`);
/** The most characters of the callee's names, because every reply is searched for them. */
const MAX_NAME_LENGTH = 300;
/**
 * The name after a greeting or a question for the person: "Ada Lovelace" in "Hello Ada Lovelace, this is the clinic"
 * and "Am I speaking to Ada Lovelace?". Other capitalised words may be places, days or companies.
 */
const GREETED = new RegExp(
  '\\b(?:[Hh]ello|[Hh]i|[Hh]ey|[Dd]ear|[Gg]ood (?:morning|afternoon|evening)|(?:[Ss]peak|[Tt]alk)(?:ing)? (?:to|with)|' +
    "[Ii]s (?:this|that)),? ((?:\\p{Lu}[\\p{L}.'’-]*\\s?)+)",
  'gu',
);

/**
 * The memory of one call: variables for its texts, answers, and the outcome. `PlaybookFlow` owns it. A variable has
 * two forms: the form of the API (`2026-12-31`) for outcome, tools and branches, and the spoken form for texts.
 */
export class CallMemory {
  /** True if the caller has a number that can be called. */
  readonly isReachable: boolean;
  /** Variables known before the call, in the order of a look-up. They may be large, so texts read them in place. */
  readonly #given: readonly Variables[];
  /** Variables set by the playbook, by tools or by the caller's answers, in spoken form. */
  #variables: Record<string, string> = {};
  /** Limits the characters that values add to the texts of this turn. */
  #allowance = new ValueAllowance();
  /** Answers in the form of the API. */
  #answers: Record<string, string> = {};
  /** Answers in spoken form. */
  #said: Record<string, string> = {};
  /** Names of the answers that are free speech. */
  #inOwnWords = new Set<string>();
  #intent: string | null = null;
  #resolutionAchieved: boolean | null = null;
  #summary: string | null = null;
  #followUp: FollowUp | null = null;

  constructor(brief: AgentBrief) {
    this.isReachable = brief.isReachable ?? true;
    const known = [{ agent_name: brief.agentName }, brief.variables];
    this.#given = [{ initial_message: fillVariables(brief.initialMessage, known) }, ...known];
  }

  /** Resets the allowance for values, which is per turn. */
  beginTurn(): void {
    this.#allowance = new ValueAllowance();
  }

  /** Names of the callee, from variables and the greeting of the opening message; null if there are none. */
  get callee(): string | null {
    const names = CALLEE_NAME_VARIABLES.flatMap((name) => this.#variable(name) ?? []);
    const opening = this.valueOf('initial_message') ?? '';
    const greeted = [...opening.matchAll(GREETED)].map((match) => match[1]!.trim());
    return [...names, ...greeted].join(' ').slice(0, MAX_NAME_LENGTH).trim() || null;
  }

  /**
   * A text with its variables replaced by values in spoken form.
   * @param more variables for this text only
   */
  fill(text: string, more: Variables = {}): string {
    return fillVariables(text, [more, this.#variables, ...this.#given], this.#allowance);
  }

  /** A text with its variables replaced; answers in the form of the API, for tools and DTMF keys. */
  fillApiForm(text: string): string {
    return this.fill(text, this.#answers);
  }

  /**
   * Saves an answer.
   * @param value the form of the API
   * @param said the spoken form
   * @param isInOwnWords true for free speech, which is left out of the outcome of calls without transcription
   */
  learn(name: string, value: string, said: string, isInOwnWords = false): void {
    if (isInOwnWords) this.#inOwnWords.add(name);
    else this.#inOwnWords.delete(name);
    this.#answers[name] = value;
    this.#variables[name] = this.#said[name] = said;
  }

  /** Sets a variable for texts, cut to the longest allowed value. It is no answer, so it is not in the outcome. */
  set(name: string, said: string): void {
    this.#variables[name] = cutValue(said);
  }

  /** The answer of this name in the form of the API, else the variable; null if neither has a value. */
  valueOf(name: string): string | null {
    const value = Object.hasOwn(this.#answers, name) ? this.#answers[name] : this.#variable(name);
    return value === undefined || value.trim() === '' ? null : cutValue(value);
  }

  /** A text filled in the form of the API; null if a variable has neither a value nor a default in the text. */
  fillIfKnown(text: string): string | null {
    const isKnown = variablesWithoutDefault(text).every((name) => this.valueOf(name) !== null);
    return isKnown ? this.fillApiForm(text) : null;
  }

  /** The answer of this name in the form of the API; null if there is none. */
  answerTo(name: string): string | null {
    return Object.hasOwn(this.#answers, name) ? this.#answers[name]! : null;
  }

  /** All variables in one object; answers in the form of the API. */
  get allVariables(): Record<string, string> {
    return Object.assign({}, ...[...this.#given].reverse(), this.#variables, this.#answers) as Record<
      string,
      string
    >;
  }

  /** Sets parts of the outcome; omitted parts stay unchanged. */
  conclude(parts: { intent?: string; resolutionAchieved?: boolean; summary?: string }): void {
    this.#intent = parts.intent ?? this.#intent;
    this.#resolutionAchieved = parts.resolutionAchieved ?? this.#resolutionAchieved;
    this.#summary = parts.summary ?? this.#summary;
  }

  /** Applies the outcome fields of a step that the call has reached. */
  applyOutcomeOf(step: PlaybookStep): void {
    this.#intent = step.intent ?? this.#intent;
    this.#resolutionAchieved = step.resolution_achieved ?? this.#resolutionAchieved;
    this.#summary = step.summary ?? this.#summary;
  }

  /**
   * Records why the caller ends the call: as intent and summary, unless these are set already. `do_not_call` makes the
   * suppression of the number the follow-up.
   * @param options.hasTime true if the caller named a time for another call (variable `call_back_at`)
   */
  leave(reason: LeaveReason, { hasTime = false } = {}): void {
    if (reason === 'do_not_call') this.agree({ kind: 'suppress' });
    this.#intent ??= LEAVING[reason].intent;
    // A caller who has asked for a later call may name the time only now.
    if (this.#summary !== null && this.#summary !== LEAVING.later.summary) return;
    this.#summary = hasTime ? CALL_BACK_SUMMARY : LEAVING[reason].summary;
  }

  /** Returns a function that restores the present outcome (intent, resolution, summary). */
  markOutcome(): () => void {
    const [intent, resolution, summary] = [this.#intent, this.#resolutionAchieved, this.#summary];
    return () => {
      [this.#intent, this.#resolutionAchieved, this.#summary] = [intent, resolution, summary];
    };
  }

  /** Returns a function that restores the present state. An opt-out is never taken back. */
  bookmark(): () => void {
    const undoOutcome = this.markOutcome();
    const [variables, answers, said] = [{ ...this.#variables }, { ...this.#answers }, { ...this.#said }];
    const [followUp, inOwnWords] = [this.#followUp, new Set(this.#inOwnWords)];
    return () => {
      undoOutcome();
      this.#variables = variables;
      this.#answers = answers;
      this.#said = said;
      this.#inOwnWords = inOwnWords;
      if (this.#followUp?.kind !== 'suppress') this.#followUp = followUp;
    };
  }

  /** Discards the outcome so far: it was the wrong person, or the caller wants no more calls. */
  clearOutcome(): void {
    this.#resolutionAchieved = this.#summary = this.#intent = null;
  }

  /** Sets the follow-up of the call. An opt-out is never replaced. */
  agree(followUp: FollowUp): void {
    if (this.#followUp?.kind !== 'suppress') this.#followUp = followUp;
  }

  /**
   * The outcome of the call so far.
   * @param hasPurpose true if the playbook sets `resolution_achieved` anywhere: then a call that reaches no such step
   *   has not achieved its purpose; else the purpose is unknown
   */
  outcome(hasPurpose: boolean): Outcome {
    return {
      intent: this.#intent,
      resolutionAchieved: this.#resolutionAchieved ?? (hasPurpose ? false : null),
      answers: { ...this.#answers },
      said: { ...this.#said },
      inOwnWords: [...this.#inOwnWords],
      summary: this.#summary === null ? null : this.#summarised(this.#summary),
      ...(this.#followUp === null ? {} : { followUp: this.#followUp }),
    };
  }

  /** The summary with its variables filled, without the allowance of a turn, which the last turn may have used up. */
  #summarised(summary: string): string | null {
    return fillVariables(summary, [this.#variables, ...this.#given]) || null;
  }

  /** The value of a variable; undefined if nothing sets it. */
  #variable(name: string): string | undefined {
    const source = [this.#variables, ...this.#given].find((variables) => Object.hasOwn(variables, name));
    return source?.[name];
  }
}
