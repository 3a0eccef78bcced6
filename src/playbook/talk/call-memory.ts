import type { AgentBrief } from '#dialogue/dialogue-manager.js';
import type { FollowUp, Outcome } from '#dialogue/outcome.js';
import type { PlaybookStep } from '#playbook/steps/playbook-step.js';
import type { Leaving } from '#playbook/understanding/requests.js';
import {
  cutValue,
  fillVariables,
  ValueAllowance,
  variablesWithoutWords,
  type Variables,
} from '#dialogue/variables.js';

/** What the outcome says of callers who end the call themselves. */
const LEAVING: Record<Leaving, { intent: string; summary: string }> = {
  goodbye: { intent: 'end_call', summary: 'The customer said goodbye.' },
  later: { intent: 'call_back_later', summary: 'The customer wants to be called another time.' },
  do_not_call: { intent: 'do_not_call', summary: 'The customer does not want to be called again.' },
  wrong_number: { intent: 'wrong_number', summary: 'The customer said that it was the wrong number.' },
};
const CALL_BACK_SUMMARY = 'The customer wants to be called {{call_back_at}}.';

/** Variables that hold the name of whoever is called. */
const CALLED = ['', 'first_', 'last_', 'full_', 'customer_', 'patient_', 'client_', 'guest_', 'contact_'].map(
  (whose) => `${whose}name`,
);
/** No name is longer; what a text greets is looked for in each reply (characters). */
const LONGEST_CALLED = 300;
/** "Ada Lovelace" of "Hello Ada Lovelace, this is the clinic": other capitals are those of places, days and firms. */
const GREETED = new RegExp(
  '\\b(?:[Hh]ello|[Hh]i|[Hh]ey|[Dd]ear|[Gg]ood (?:morning|afternoon|evening)|(?:[Ss]peak|[Tt]alk)(?:ing)? (?:to|with)|' +
    "[Ii]s (?:this|that)),? ((?:\\p{Lu}[\\p{L}.'’-]*\\s?)+)",
  'gu',
);

/** What one call has learnt, for texts, branches and the outcome. */
export class CallMemory {
  /** Whether there is a number to call the caller at. */
  readonly isReachable: boolean;
  /** What is known of the call before it begins: it may be large, so it is never copied. */
  readonly #given: readonly Variables[];
  /** What the playbook sets and the caller answers, as the agent says it. */
  #variables: Record<string, string> = {};
  /** What values may still add to the texts of this turn. */
  #allowance = new ValueAllowance();
  /** As the outcome keeps them. */
  #answers: Record<string, string> = {};
  /** The same as the agent says them. */
  #said: Record<string, string> = {};
  /** Which of them are free speech. */
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

  /** A turn begins, whose texts take values anew. */
  beginTurn(): void {
    this.#allowance = new ValueAllowance();
  }

  /** The names of whoever is called, as far as variables or the opening message tell any; null when they do not. */
  get called(): string | null {
    const names = CALLED.flatMap((name) => this.#variable(name) ?? []);
    const opening = this.valueOf('initial_message') ?? '';
    const greeted = [...opening.matchAll(GREETED)].map((match) => match[1]!.trim());
    return [...names, ...greeted].join(' ').slice(0, LONGEST_CALLED).trim() || null;
  }

  /** @param more what counts in this text alone */
  fill(text: string, more: Variables = {}): string {
    return fillVariables(text, [more, this.#variables, ...this.#given], this.#allowance);
  }

  /** The same with answers as the API keeps them: what machines are told. */
  fillKept(text: string): string {
    return this.fill(text, this.#answers);
  }

  /** Keeps an answer: `value` for the outcome, `said` for texts. `isInOwnWords`: it is free speech. */
  learn(name: string, value: string, said: string, isInOwnWords = false): void {
    if (isInOwnWords) this.#inOwnWords.add(name);
    else this.#inOwnWords.delete(name);
    this.#answers[name] = value;
    this.#variables[name] = this.#said[name] = said;
  }

  /** Fills a variable of texts alone. */
  set(name: string, said: string): void {
    this.#variables[name] = cutValue(said);
  }

  /** The answer of this name, else the variable; null when neither has a value. */
  valueOf(name: string): string | null {
    const held = Object.hasOwn(this.#answers, name) ? this.#answers[name] : this.#variable(name);
    return held === undefined || held.trim() === '' ? null : cutValue(held);
  }

  /** A text with its variables as they are kept; null where one of them has no value. */
  known(text: string): string | null {
    const isKnown = variablesWithoutWords(text).every((name) => this.valueOf(name) !== null);
    return isKnown ? this.fillKept(text) : null;
  }

  answerTo(name: string): string | null {
    return Object.hasOwn(this.#answers, name) ? this.#answers[name]! : null;
  }

  /** All variables, an answer as the API keeps it. */
  get kept(): Record<string, string> {
    return Object.assign({}, ...[...this.#given].reverse(), this.#variables, this.#answers) as Record<
      string,
      string
    >;
  }

  /** What the call was about, and how it ended; what is left out stays as it was. */
  conclude(what: { intent?: string; resolutionAchieved?: boolean; summary?: string }): void {
    this.#intent = what.intent ?? this.#intent;
    this.#resolutionAchieved = what.resolutionAchieved ?? this.#resolutionAchieved;
    this.#summary = what.summary ?? this.#summary;
  }

  /** The call got to a step: what it says of the call counts. */
  reach(step: PlaybookStep): void {
    this.#intent = step.intent ?? this.#intent;
    this.#resolutionAchieved = step.resolution_achieved ?? this.#resolutionAchieved;
    this.#summary = step.summary ?? this.#summary;
  }

  /**
   * The caller wants out: that is the intent, and what there is to say of the call, unless more was reached. Who wants
   * no more calls gets none.
   */
  leave(reason: Leaving, { hasTime = false } = {}): void {
    if (reason === 'do_not_call') this.agree({ kind: 'suppress' });
    this.#intent ??= LEAVING[reason].intent;
    // A time may be agreed on after the wish.
    if (this.#summary !== null && this.#summary !== LEAVING.later.summary) return;
    this.#summary = hasTime ? CALL_BACK_SUMMARY : LEAVING[reason].summary;
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
    const [variables, answers, said] = [{ ...this.#variables }, { ...this.#answers }, { ...this.#said }];
    const [followUp, inOwnWords] = [this.#followUp, new Set(this.#inOwnWords)];
    return () => {
      forget();
      this.#variables = variables;
      this.#answers = answers;
      this.#said = said;
      this.#inOwnWords = inOwnWords;
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
      said: { ...this.#said },
      inOwnWords: [...this.#inOwnWords],
      summary: this.#summary === null ? null : this.#summarised(this.#summary),
      ...(this.#followUp === null ? {} : { followUp: this.#followUp }),
    };
  }

  /** No part of a turn: what the last one has used up does not count. */
  #summarised(summary: string): string | null {
    return fillVariables(summary, [this.#variables, ...this.#given]) || null;
  }

  #variable(name: string): string | undefined {
    const source = [this.#variables, ...this.#given].find((variables) => Object.hasOwn(variables, name));
    return source?.[name];
  }
}
