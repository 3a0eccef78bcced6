import type { DateTime } from 'luxon';
import { instantOf, callBackTimeOf } from './call-back-time.js';
import type { CallMemory } from './call-memory.js';
import type { PlaybookStep } from '#playbook/steps/playbook-step.js';

/* Executes `call_back` steps, which agree on another call at a time that earlier answers name. */

/** A step that agrees on another call. */
export type CallBackStep = Extract<PlaybookStep, { kind: 'call_back' }>;

/** The form of a saved day, and that of a saved time. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d\d:\d\d$/;

/**
 * The time that the answers named by the step hold, in the zone of the call; null if they hold neither day nor time.
 */
export function callBackTimeNamed(
  { date, time }: CallBackStep,
  memory: CallMemory,
  now: DateTime,
): DateTime | null {
  // Another question may have saved a different kind of answer under the same name.
  const answerLike = (name: string | null | undefined, shape: RegExp) => {
    const answer = name ? memory.answerTo(name) : null;
    return answer !== null && shape.test(answer) ? answer : null;
  };
  const moment = callBackTimeOf(answerLike(date, DAY), answerLike(time, TIME), now);
  return moment?.isValid ? moment : null;
}

/**
 * Records the request for another call as the follow-up of the call; without a time if the answers name none, or one
 * that has passed.
 * @returns the sentence to say in place of the step's text: `later` if the named time has passed, `no_number` if the
 *   caller's number is hidden; else null
 */
export function agreeOnCallBack(
  step: CallBackStep,
  memory: CallMemory,
  now: DateTime,
): 'later' | 'no_number' | null {
  const moment = callBackTimeNamed(step, memory, now);
  const hasPassed = moment !== null && moment <= now;
  const names = [step.date, step.time].flatMap((name) => (name ? [`{{${name}}}`] : []));
  const said = hasPassed ? '' : memory.fill(names.join(' '));
  const at = moment === null || hasPassed ? null : instantOf(moment);
  memory.agree({ kind: 'call_back', at, timeZone: now.zoneName!, said });
  if (hasPassed) return 'later';
  return memory.isReachable ? null : 'no_number';
}
