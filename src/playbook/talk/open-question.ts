import type { Language } from '#language/languages/language.js';
import type { EarlierReplies } from '#playbook/understanding/prefilled-answer.js';
import { bareYesNo } from '#playbook/understanding/interpret.js';
import type { AskStep } from '#playbook/steps/playbook-step.js';
import type { CallerRequest } from '#playbook/understanding/requests.js';

/* The question of a playbook that waits for its answer, and what follows from its attempts and its answer. */

/** A question that waits for its answer. */
export interface OpenQuestion {
  /** The name of the step that asks the question. */
  name: string;
  step: AskStep;
  /** How often the question has been asked. */
  attempts: number;
  /** The answer that was read back and waits for confirmation; null if none does. */
  pending: string | null;
  /** The caller's replies to this question, which may also answer the next question. */
  said: EarlierReplies;
}

/** Default of `max_attempts`, unless the step has more wordings: its text and the texts of `retry`. */
const DEFAULT_MAX_ATTEMPTS = 3;

/** Why a reply is no answer: a request of the caller, or an answer that does not count. */
export type Unanswered = CallerRequest | 'unclear' | 'not_possible' | 'denied';

/**
 * Additional attempts for callers who understood the question, but made a request or changed the value read back
 * (`changed`).
 */
const MORE_ATTEMPTS: Readonly<Partial<Record<Unanswered | 'changed', number>>> = {
  changed: 2,
  hold: 2,
  who: 1,
  repeat: 1,
};

/**
 * True if the question may not be asked once more: the call then goes on with `otherwise`.
 * @param why why the last reply is no answer; some reasons grant additional attempts
 */
export function isExhausted({ attempts, step }: OpenQuestion, why?: Unanswered | 'changed'): boolean {
  const most = step.max_attempts ?? Math.max(DEFAULT_MAX_ATTEMPTS, (step.retry?.length ?? 0) + 1);
  return attempts >= most + (why === undefined ? 0 : (MORE_ATTEMPTS[why] ?? 0));
}

/** The text of `retry` for the next attempt; after the last text, the last text again. Undefined without `retry`. */
export function rewording({ step, attempts }: OpenQuestion): string | undefined {
  return step.retry?.[Math.min(attempts, step.retry.length) - 1];
}

/**
 * The name of the step after an answer. Of free speech, only a bare yes or no can have a step of its own (`answers`).
 * The checks of a saved playbook guarantee a step for every answer.
 * @param lists the language of the call if it is read by word lists, else null
 */
export function stepFor(step: AskStep, answer: string, lists: Language | null): string {
  const key = step.expect.kind === 'anything' ? (bareYesNo(answer, lists) ?? '') : answer;
  const answers = step.answers ?? {};
  return (Object.hasOwn(answers, key) ? answers[key] : step.next) ?? step.otherwise;
}
