import {
  transitionsOf,
  isEnd,
  answeredTransitions,
  reachable,
  unansweredTransitions,
  anywhereTransitions,
  type UncheckedPlaybook,
  type PlaybookFault,
} from './playbook-graph.js';
import { questionFaults } from './question-checks.js';
import { stepFaults } from './step-checks.js';
import { variableFaults } from './variable-checks.js';

/** The size limit of a playbook as JSON. */
const MAX_SIZE_BYTES = 64 * 1024;

/**
 * The structural faults of a playbook: missing or unreachable steps, answers without a next step, ambiguous phrases,
 * variables without a value, limits that no answer meets, endless conversations. While single steps have faults, the
 * paths between steps are not checked. An empty list means valid. The schema of playbooks turns the faults into
 * validation errors, so that a saved playbook has none.
 */
export function playbookFaults(playbook: UncheckedPlaybook): PlaybookFault[] {
  const size = Buffer.byteLength(JSON.stringify(playbook));
  if (size > MAX_SIZE_BYTES) return [{ path: [], message: `is larger than ${MAX_SIZE_BYTES} bytes as JSON` }];
  const faults = [
    ...unknownSteps(playbook),
    ...Object.entries(playbook.steps).flatMap(([name, step]) =>
      [...(step.kind === 'ask' ? questionFaults(step) : []), ...stepFaults(step, playbook)].map((fault) => ({
        ...fault,
        path: ['steps', name, ...fault.path],
      })),
    ),
  ];
  // The graph can be analysed only when every named step exists.
  if (faults.length > 0) return faults;
  // Only the first kind that occurs is reported, because each kind causes the later kinds.
  const checks = [endlessSteps, closedCircles, unreachableSteps, variableFaults];
  return checks.map((faultsOf) => faultsOf(playbook)).find((found) => found.length > 0) ?? [];
}

/** Finds fields that name a step which does not exist. */
function unknownSteps(draft: UncheckedPlaybook): PlaybookFault[] {
  const named = Object.entries(draft.steps).flatMap(([name, step]) =>
    transitionsOf(step).map((transition) => ({
      path: ['steps', name, ...transition.path],
      to: transition.to,
    })),
  );
  return [{ path: ['start'], to: draft.start }, ...anywhereTransitions(draft), ...named]
    .filter(({ to }) => !Object.hasOwn(draft.steps, to))
    .map(({ path, to }) => ({ path, message: `names the step '${to}', which does not exist` }));
}

/** Finds steps that no path from the start, or from `anywhere`, reaches. */
function unreachableSteps(draft: UncheckedPlaybook): PlaybookFault[] {
  const roots = [draft.start, ...anywhereTransitions(draft).map(({ to }) => to)];
  const reached = reachable(roots, (name) =>
    transitionsOf(draft.steps[name]!).map((transition) => transition.to),
  );
  return Object.keys(draft.steps)
    .filter((name) => !reached.has(name))
    .map((name) => ({ path: ['steps', name], message: 'is never reached from the start' }));
}

/**
 * Finds endless conversations: circles in the graph of transitions without an understood answer. They are steps that
 * follow each other without listening, and questions that lead back to themselves for a caller who is never understood.
 * A playbook without these circles ends every call, because visits to questions and talks are limited (`max_visits`).
 */
function endlessSteps({ steps }: UncheckedPlaybook): PlaybookFault[] {
  const next = (name: string) => unansweredTransitions(steps[name]!).map((transition) => transition.to);
  return Object.entries(steps).flatMap(([name, step]) =>
    unansweredTransitions(step)
      .filter(({ to }) => reachable([to], next).has(name))
      .slice(0, 1)
      .map(({ path }) => ({
        path: ['steps', name, ...path],
        message: 'leads back to this step without an answer, so the call would never end',
      })),
  );
}

/** Finds steps from which no answer leads to an end: the caller could leave only by not being understood. */
function closedCircles({ steps }: UncheckedPlaybook): PlaybookFault[] {
  return Object.entries(steps).flatMap(([name, step]) => {
    const reached = reachable([name], (at) =>
      answeredTransitions(steps[at]!).map((transition) => transition.to),
    );
    if ([...reached].some((at) => isEnd(steps[at]!))) return [];
    const path = answeredTransitions(step)[0]?.path.slice(0, 1) ?? [];
    return [{ path: ['steps', name, ...path], message: 'leads into a circle that no answer leaves' }];
  });
}
