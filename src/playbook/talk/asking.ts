import type { Language } from '#language/languages/language.js';
import type { Said } from '#playbook/understanding/ahead.js';
import { bareYesNo } from '#playbook/understanding/interpret.js';
import type { AskStep } from '#playbook/steps/playbook-step.js';
import type { Request } from '#playbook/understanding/requests.js';

/** A question that waits for its answer. */
export interface Question {
  name: string;
  step: AskStep;
  /** How often the question has been asked. */
  attempts: number;
  /** The answer that was read back and waits for confirmation. */
  pending: string | null;
  /** What the caller has said to this question. */
  said: Said;
}

/** Default of `max_attempts`. */
const USUAL_MAX_ATTEMPTS = 3;

/** Why a question has no answer yet. */
export type Unanswered = Request | 'unclear' | 'not_possible' | 'denied';

/** Additional attempts for callers who asked something or named another value: they understood the question. */
const MORE_ATTEMPTS: Readonly<Partial<Record<Unanswered | 'changed', number>>> = {
  changed: 2,
  hold: 2,
  who: 1,
  repeat: 1,
};

/**
 * True if the question has been asked often enough.
 * @param why what the caller said instead; some reasons grant additional attempts
 */
export function isExhausted({ attempts, step }: Question, why?: Unanswered | 'changed'): boolean {
  const most = step.max_attempts ?? Math.max(USUAL_MAX_ATTEMPTS, (step.retry?.length ?? 0) + 1);
  return attempts >= most + (why === undefined ? 0 : (MORE_ATTEMPTS[why] ?? 0));
}

/** The next text of `retry` for a question that is asked again; after the last text, the last text again. */
export function rewording({ step, attempts }: Question): string | undefined {
  return step.retry?.[Math.min(attempts, step.retry.length) - 1];
}

/**
 * The step after an answer. The checks of a saved playbook guarantee that there is one.
 * @param lists the language of the call if it is read by word lists, else null
 */
export function stepFor(step: AskStep, answer: string, lists: Language | null): string {
  const key = step.expect.kind === 'anything' ? (bareYesNo(answer, lists) ?? '') : answer;
  const answers = step.answers ?? {};
  return (Object.hasOwn(answers, key) ? answers[key] : step.next) ?? step.otherwise;
}
