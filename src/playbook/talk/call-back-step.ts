import type { DateTime } from 'luxon';
import { instantOf, momentOf } from './call-back-moment.js';
import type { CallMemory } from './call-memory.js';
import type { PlaybookStep } from '#playbook/steps/playbook-step.js';

export type CallBackStep = Extract<PlaybookStep, { kind: 'call_back' }>;

/** The format of saved days and times. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d\d:\d\d$/;

/** When the answers named by the step ask for the call; null if they name neither a day nor a time. */
export function momentNamed(
  { date, time }: CallBackStep,
  memory: CallMemory,
  now: DateTime,
): DateTime | null {
  // Another question may have saved a different kind of answer under the same name.
  const answerLike = (name: string | null | undefined, shape: RegExp) => {
    const answer = name ? memory.answerTo(name) : null;
    return answer !== null && shape.test(answer) ? answer : null;
  };
  const moment = momentOf(answerLike(date, DAY), answerLike(time, TIME), now);
  return moment?.isValid ? moment : null;
}

/**
 * Records the request for another call. Returns the sentence to say instead of the step's text if no call is agreed:
 * the named time has passed, or there is no number to call.
 */
export function agreeOnCallBack(
  step: CallBackStep,
  memory: CallMemory,
  now: DateTime,
): 'later' | 'no_number' | null {
  const moment = momentNamed(step, memory, now);
  const hasPassed = moment !== null && moment <= now;
  const names = [step.date, step.time].flatMap((name) => (name ? [`{{${name}}}`] : []));
  const said = hasPassed ? '' : memory.fill(names.join(' '));
  const at = moment === null || hasPassed ? null : instantOf(moment);
  memory.agree({ kind: 'call_back', at, timeZone: now.zoneName!, said });
  if (hasPassed) return 'later';
  return memory.isReachable ? null : 'no_number';
}
