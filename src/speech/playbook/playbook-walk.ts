import type { Mind, Outcome, Thought } from '../thinking.js';
import type { Leaving } from './interpret.js';
import type { Playbook } from './playbook.js';
import type { AskStep, PlaybookStep, Wording } from './playbook-step.js';
import { fillVariables } from './variables.js';
import { DEFAULT_WORDING } from './wording.js';

/** A question that waits for its answer. */
export interface Question {
  name: string;
  step: AskStep;
  /** How often it has been put. */
  attempts: number;
}

/** One call's way through a playbook: where it stands, what it has learnt, and what that makes the agent say. */
export class PlaybookWalk {
  readonly #playbook: Playbook;
  readonly #variables: Record<string, string>;
  readonly #answers: Record<string, string> = {};
  #question: Question | null = null;
  #ended = false;
  #intent: string | null = null;
  #resolutionAchieved: boolean | null = null;
  #summary: string | null = null;

  constructor(mind: Mind, playbook: Playbook) {
    const known = { ...mind.variables, agent_name: mind.agentName };
    this.#playbook = playbook;
    this.#variables = { ...known, initial_message: fillVariables(mind.initialMessage, known) };
  }

  /** The question that waits for its answer; null before the first one and after the end. */
  get question(): Question | null {
    return this.#question;
  }

  /** From the start; after the end, the end again. */
  begin(): Thought[] {
    return this.#ended ? this.#close(this.say('goodbye')) : this.goTo(this.#playbook.start);
  }

  /** From a step on, up to the next question or the end. */
  goTo(name: string): Thought[] {
    return this.#follow(name, (question) => this.ask(question.step.text));
  }

  /** The same for a caller who has said goodbye: what would be the next question becomes our goodbye. */
  goToEnd(name: string): Thought[] {
    return this.#follow(name, () => this.leave('goodbye', 'end_call'));
  }

  /** Puts the waiting question, in the words given. */
  ask(text: string): Thought[] {
    const question = this.#question;
    if (question === null) return [];
    const interruptible = question.step.interruptible ?? true;
    return [...this.#words(text, interruptible), ...this.listen()];
  }

  /** Lets the caller speak without putting the question again. */
  listen(): Thought[] {
    if (this.#question === null) return [];
    const { expect } = this.#question.step;
    // A question's own phrases for yes and no are for reading the answer, not for hearing it.
    return [{ kind: 'listen', expectation: expect.kind === 'yes_no' ? { kind: 'yes_no' } : expect }];
  }

  /** One of the sentences that belong to no step. */
  say(sentence: keyof Wording): Thought[] {
    return this.#words(this.#playbook.wording?.[sentence] ?? DEFAULT_WORDING[sentence], true);
  }

  /** Keeps the answer to the waiting question. */
  learn(answer: string): void {
    if (this.#question === null) return;
    const name = this.#question.step.save_as ?? this.#question.name;
    this.#answers[name] = answer;
    this.#variables[name] = answer.replaceAll('_', ' ');
  }

  /** Ends because the caller wants to; what was reached before is kept unless the caller is plain about it. */
  leave(sentence: Leaving, intent: string): Thought[] {
    if (sentence === 'do_not_call' || sentence === 'wrong_number')
      this.#resolutionAchieved = this.#summary = this.#intent = null;
    this.#intent ??= intent;
    return this.#close(this.say(sentence));
  }

  outcome(): Outcome {
    const hasPurpose = Object.values(this.#playbook.steps).some(
      (step) => typeof step.resolution_achieved === 'boolean',
    );
    return {
      intent: this.#intent,
      resolutionAchieved: this.#resolutionAchieved ?? (hasPurpose ? false : null),
      answers: { ...this.#answers },
      summary: this.#summary === null ? null : fillVariables(this.#summary, this.#variables) || null,
    };
  }

  #follow(from: string, onQuestion: (question: Question) => Thought[]): Thought[] {
    const thoughts: Thought[] = [];
    let name = from;
    // Saved playbooks have no circle without a question, so this ends.
    for (;;) {
      const step = this.#playbook.steps[name]!;
      this.#reach(step);
      if (step.kind === 'ask') {
        this.#question = { name, step, attempts: 1 };
        return [...thoughts, ...onQuestion(this.#question)];
      }
      if (step.kind === 'end') return [...thoughts, ...this.#close(this.#words(step.text ?? '', false))];
      thoughts.push(...this.#words(this.#textOf(step), step.interruptible ?? true));
      name = step.next;
    }
  }

  #reach(step: PlaybookStep): void {
    this.#intent = step.intent ?? this.#intent;
    this.#resolutionAchieved = step.resolution_achieved ?? this.#resolutionAchieved;
    this.#summary = step.summary ?? this.#summary;
  }

  #textOf(step: Extract<PlaybookStep, { kind: 'say' | 'reply' }>): string {
    if (step.kind === 'say') return step.text;
    const answer = Object.hasOwn(this.#answers, step.to) ? this.#answers[step.to]! : '';
    return (Object.hasOwn(step.texts, answer) ? step.texts[answer] : step.text) ?? '';
  }

  #words(text: string, interruptible: boolean): Thought[] {
    const filled = fillVariables(text, this.#variables);
    return filled === '' ? [] : [{ kind: 'say', text: filled, interruptible }];
  }

  #close(closing: Thought[]): Thought[] {
    this.#ended = true;
    this.#question = null;
    return [...closing, { kind: 'end' }];
  }
}
