import type { DateTime } from 'luxon';
import { instantOf, momentOf } from './call-back-moment.js';
import type { CallMemory } from './call-memory.js';
import type { PlaybookStep } from './playbook-step.js';

export type CallBackStep = Extract<PlaybookStep, { kind: 'call_back' }>;

/** When the answers that the step names want the call; null when they tell neither a day nor a time. */
export function momentNamed(
  { date, time }: CallBackStep,
  memory: CallMemory,
  now: DateTime,
): DateTime | null {
  const day = date ? memory.answerTo(date) : null;
  const hour = time ? memory.answerTo(time) : null;
  return momentOf(day, hour, now);
}

/**
 * Notes the wish for another call. Gives back what is said instead of the step's words where none is agreed on: the
 * time that was named has passed, or there is no number to call.
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
