import type { Language } from '#language/languages/language.js';
import type { Said } from '#playbook/understanding/ahead.js';
import { bareYesNo } from '#playbook/understanding/interpret.js';
import type { AskStep } from '#playbook/steps/playbook-step.js';
import type { Request } from '#playbook/understanding/requests.js';

/** A question that waits for its answer. */
export interface Question {
  name: string;
  step: AskStep;
  /** How often it has been put. */
  attempts: number;
  /** The answer that was said back and waits for a yes. */
  pending: string | null;
  /** What the caller has said to it. */
  said: Said;
}

/** How often a question is put when the playbook does not say. */
const USUAL_MAX_ATTEMPTS = 3;

/** Why a question is not answered yet. */
export type Unanswered = Request | 'unclear' | 'not_possible' | 'denied';

/**
 * Whoever asks something after the last attempt, or names another value, was not misunderstood: that is heard out, so
 * often.
 */
const MORE_ATTEMPTS: Readonly<Partial<Record<Unanswered | 'changed', number>>> = {
  changed: 2,
  hold: 2,
  who: 1,
  repeat: 1,
};

/**
 * Whether a question has been put often enough. @param why what the caller said instead, for which there is patience
 */
export function isExhausted({ attempts, step }: Question, why?: Unanswered | 'changed'): boolean {
  const most = step.max_attempts ?? Math.max(USUAL_MAX_ATTEMPTS, (step.retry?.length ?? 0) + 1);
  return attempts >= most + (why === undefined ? 0 : (MORE_ATTEMPTS[why] ?? 0));
}

/** Other words for a question that has been put before: the next ones of `retry`, then the last ones again. */
export function rewording({ step, attempts }: Question): string | undefined {
  return step.retry?.[Math.min(attempts, step.retry.length) - 1];
}

/**
 * Where an answer leads; the checks of a saved playbook see to it that each leads somewhere.
 * @param lists the language that is spoken, where it is read by its lists
 */
export function stepFor(step: AskStep, answer: string, lists: Language | null): string {
  const key = step.expect.kind === 'anything' ? (bareYesNo(answer, lists) ?? '') : answer;
  const answers = step.answers ?? {};
  return (Object.hasOwn(answers, key) ? answers[key] : step.next) ?? step.otherwise;
}
